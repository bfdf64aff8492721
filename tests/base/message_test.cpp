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
  writer.head_room().back() = 'H';
  return Message(std::move(writer));
}

TEST(Message, IsEmptyByDefault) {
  const Message message;
  EXPECT_TRUE(message.empty());
  EXPECT_TRUE(message.payload().empty());
  EXPECT_THROW((void)message.frame(0), ContractViolation);
}

TEST(Message, HasAPayloadOnACacheLine) {
  const Message message = abc();
  EXPECT_FALSE(message.empty());
  EXPECT_THAT(message.payload(), ElementsAre('a', 'b', 'c'));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(message.payload().data()) % 64, 0u);
}

TEST(Message, FrameIsTheHeaderAndThePayloadInOnePieceWithoutACopy) {
  const Message message = abc();
  EXPECT_THAT(message.frame(1), ElementsAre('H', 'a', 'b', 'c'));
  EXPECT_THAT(message.frame(0), ElementsAre('a', 'b', 'c'));
  EXPECT_EQ(message.frame(1).data() + 1, message.payload().data());
  EXPECT_EQ(message.frame(Message::kHeadRoom).size(), Message::kHeadRoom + 3);
}

TEST(Message, RefusesAHeaderLargerThanItsHeadRoom) {
  EXPECT_THROW((void)abc().frame(Message::kHeadRoom + 1), ContractViolation);
}

TEST(Message, WithoutPayloadStillHasAFrame) {
  const Message message(Message::writer());
  EXPECT_TRUE(message.empty());
  EXPECT_EQ(message.frame(48).size(), 48u);
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
