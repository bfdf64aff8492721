#include "gossamer/base/message.hpp"

#include <cstdint>
#include <memory>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using ::testing::ElementsAre;

Message abc() {
  ByteWriter writer = Message::writer();
  for (const char letter : {'a', 'b', 'c'})
    writer.write(letter);
  return Message(std::move(writer));
}

TEST(Message, IsEmptyByDefault) {
  const Message message;
  EXPECT_TRUE(message.empty());
  EXPECT_TRUE(message.payload().empty());
}

TEST(Message, HasAPayloadOnACacheLine) {
  const Message message = abc();
  EXPECT_FALSE(message.empty());
  EXPECT_THAT(message.payload(), ElementsAre('a', 'b', 'c'));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(message.payload().data()) % 64, 0u);
}

TEST(Message, MayHaveNoPayload) {
  const Message message(Message::writer());
  EXPECT_TRUE(message.empty());
}

TEST(Message, IsSharedByItsCopiesAndOutlivesTheFirst) {
  auto first = std::make_unique<Message>(abc());
  const Message second = *first;
  EXPECT_EQ(second.payload().data(), first->payload().data());
  first.reset();
  EXPECT_THAT(second.payload(), ElementsAre('a', 'b', 'c'));
}

TEST(Message, RefusesAWriterWithoutItsHeadRoom) {
  EXPECT_THROW(Message{ByteWriter()}, ContractViolation);
  EXPECT_THROW(Message{ByteWriter(32)}, ContractViolation);
}

}  // namespace
}  // namespace gossamer
