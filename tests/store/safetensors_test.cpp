// Files of tensors that other programs read: the bytes, and every way in which they can be wrong.

#include "gossamer/store/safetensors.hpp"

#include <cstring>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.hpp"
#include "tests/support/vectors.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/base/contract.hpp"
#include "gossamer/base/file.hpp"

namespace gossamer::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

std::string bytes_of(std::uint64_t number) {
  std::string bytes(sizeof(number), '\0');
  std::memcpy(bytes.data(), &number, sizeof(number));
  return bytes;
}

std::string file_of(const std::string& header, const std::string& data) {
  return bytes_of(header.size()) + header + data;
}

class SafeTensorsTest : public ::testing::Test {
 protected:
  [[nodiscard]] std::string path() const { return folder.path("model.safetensors"); }

  // Unlike write_file() it does not wait for the disk.
  void put(const std::string& bytes) const { std::ofstream(path(), std::ios::binary) << bytes; }

  [[nodiscard]] std::string content() const {
    const auto bytes = read_file(path()).value();
    return {bytes.begin(), bytes.end()};
  }

  [[nodiscard]] std::string refusal_of_bytes(const std::string& bytes) const {
    put(bytes);
    const Result<SafeTensors> read = read_safetensors(path());
    if (read) return "not refused";
    EXPECT_THAT(read.error().message, HasSubstr(path()));
    return read.error().message;
  }

  // Of a header with so many bytes of data behind it.
  [[nodiscard]] std::string refusal(const std::string& header, std::size_t data = 8) const {
    return refusal_of_bytes(file_of(header, std::string(data, '\0')));
  }

  TemporaryFolder folder;
};

TEST_F(SafeTensorsTest, WritesTheseBytes) {
  const std::vector<float> w = {1.0f, -2.0f};
  const std::vector<float> b = {0.5f};
  const std::vector<NamedTensor> tensors = {{"w", {2, 1}, w}, {"b", {}, b}};
  ASSERT_TRUE(write_safetensors(path(), tensors, {{"by", "hand"}}));
  const std::string header = R"({"__metadata__":{"by":"hand"},)"
                             R"("w":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},)"
                             R"("b":{"dtype":"F32","shape":[],"data_offsets":[8,12]}})";
  ASSERT_EQ(header.size(), 138u);
  const std::string expected = std::string("\x90\0\0\0\0\0\0\0", 8) + header + "      " +
                               std::string(
                                   "\x00\x00\x80\x3f"
                                   "\x00\x00\x00\xc0"
                                   "\x00\x00\x00\x3f",
                                   12);
  EXPECT_EQ(content(), expected);
}

TEST_F(SafeTensorsTest, PutsTheDataOnAMultipleOfEightBytesWhateverTheNames) {
  const std::vector<float> value = {1.0f};
  for (std::string name = "a"; name.size() <= 17; name += 'a') {
    const std::vector<NamedTensor> tensors = {{name, {1}, value}};
    ASSERT_TRUE(write_safetensors(path(), tensors, {}));
    EXPECT_EQ((content().size() - sizeof(float)) % 8, 0u) << name;
    EXPECT_TRUE(read_safetensors(path())) << name;
  }
}

TEST_F(SafeTensorsTest, ReadsBackWhatWasWritten) {
  const std::vector<float> a = normal_vector(6, 1);
  const std::vector<float> b = {std::numeric_limits<float>::infinity(), -0.0f};
  const std::vector<NamedTensor> tensors = {
      {"conv.weight", {1, 2, 3}, a}, {"\"odd\" näme\n", {2}, b}, {"empty", {3, 0}, {}}};
  ASSERT_TRUE(write_safetensors(path(), tensors, {{"round", "12"}, {"", "x"}}));
  const Result<SafeTensors> read = read_safetensors(path());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_THAT(read.value().metadata, ElementsAre(Pair("round", "12"), Pair("", "x")));
  ASSERT_EQ(read.value().tensors.size(), tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const NamedTensor& tensor = read.value().tensors[i];
    EXPECT_EQ(tensor.name, tensors[i].name);
    EXPECT_EQ(tensor.shape, tensors[i].shape);
    ASSERT_EQ(tensor.values.size(), tensors[i].values.size());
    if (!tensor.values.empty()) {
      EXPECT_EQ(
          std::memcmp(tensor.values.data(), tensors[i].values.data(), tensor.values.size_bytes()),
          0);
    }
  }
}

TEST_F(SafeTensorsTest, StaysReadableWhenItsOwnerMoves) {
  put(file_of(R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})",
              std::string("\0\0\x80\x3f\0\0\0\xc0", 8)));
  Result<SafeTensors> read = read_safetensors(path());
  ASSERT_TRUE(read) << read.error().message;
  const SafeTensors moved = std::move(read).value();
  EXPECT_THAT(moved.tensors.at(0).values, ElementsAre(1.0f, -2.0f));
}

TEST_F(SafeTensorsTest, ReadsTensorsInTheOrderOfTheirData) {
  put(file_of(R"({"late":{"dtype":"F32","shape":[1],"data_offsets":[4,8]},)"
              R"("early":{"data_offsets":[0,4],"shape":[1],"dtype":"F32"}}  )",
              std::string("\0\0\x80\x3f\0\0\0\xc0", 8)));
  const Result<SafeTensors> read = read_safetensors(path());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read.value().tensors.at(0).name, "early");
  EXPECT_THAT(read.value().tensors.at(0).values, ElementsAre(1.0f));
  EXPECT_THAT(read.value().tensors.at(1).values, ElementsAre(-2.0f));
  EXPECT_THAT(read.value().metadata, IsEmpty());
}

TEST_F(SafeTensorsTest, HasNoTensorsIfNoneAreGiven) {
  ASSERT_TRUE(write_safetensors(path(), {}, {}));
  EXPECT_EQ(content(), bytes_of(8) + "{}      ");
  const Result<SafeTensors> read = read_safetensors(path());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_THAT(read.value().tensors, IsEmpty());
}

TEST_F(SafeTensorsTest, WritesTextThatIsNoUtf8AsWellAsItCan) {
  ASSERT_TRUE(write_safetensors(path(), {}, {{"data", "a\xff"}}));
  const Result<SafeTensors> read = read_safetensors(path());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_THAT(read.value().metadata, ElementsAre(Pair("data", "a\xef\xbf\xbd")));
}

TEST_F(SafeTensorsTest, RefusesEveryTruncationAndEveryTail) {
  const std::vector<float> w = {1.0f, 2.0f};
  const std::vector<NamedTensor> tensors = {{"w", {2}, w}};
  ASSERT_TRUE(write_safetensors(path(), tensors, {}));
  const std::string whole = content();
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(refusal_of_bytes(whole.substr(0, size)), "not refused") << size;
  EXPECT_THAT(refusal_of_bytes(whole + "x"), HasSubstr("1 bytes follow after its last tensor"));
  EXPECT_THAT(refusal_of_bytes(whole.substr(0, whole.size() - 3)),
              HasSubstr("too short for its tensors: 3 bytes are missing"));
}

TEST_F(SafeTensorsTest, RefusesAHeaderThatCannotBe) {
  EXPECT_THAT(refusal_of_bytes(""), HasSubstr("shorter than the length of a header"));
  EXPECT_THAT(refusal_of_bytes(bytes_of(3) + "{}"), HasSubstr("ends in its header"));
  for (const std::uint64_t huge :
       {std::uint64_t{100'000'001}, std::numeric_limits<std::uint64_t>::max()})
    EXPECT_THAT(refusal_of_bytes(bytes_of(huge) + "{}"), HasSubstr("100000000 are allowed"));
  EXPECT_THAT(refusal("", 0), HasSubstr("does not begin with '{'"));
  EXPECT_THAT(refusal(" {}", 0), HasSubstr("does not begin with '{'"));
  EXPECT_THAT(refusal("[]", 0), HasSubstr("does not begin with '{'"));
  EXPECT_THAT(refusal("{\"w\":", 0), HasSubstr("no JSON object"));
  EXPECT_THAT(refusal("{}x", 0), HasSubstr("no JSON object"));
}

std::string header_with(const std::string& fields) {
  return R"({"w":{)" + fields + "}}";
}

TEST_F(SafeTensorsTest, RefusesATensorThatCannotBe) {
  const std::string dtype = R"("dtype":"F32",)";
  const std::string shape = R"("shape":[2],)";
  const std::string offsets = R"("data_offsets":[0,8])";
  ASSERT_EQ(refusal(header_with(dtype + shape + offsets)), "not refused");

  const std::vector<std::pair<std::string, std::string>> refusals = {
      {R"({"w":7})", "tensor 'w' is not described by an object"},
      {header_with(shape + offsets), "tensor 'w' has no dtype"},
      {header_with(dtype + offsets), "tensor 'w' has no shape"},
      {header_with(dtype + R"("shape":[2])"), "tensor 'w' has no data_offsets"},
      {header_with(dtype + shape + offsets + R"(,"stride":1)"), "unknown field 'stride'"},
      {header_with(R"("dtype":32,)" + shape + offsets), "the dtype of tensor 'w' is no text"},
      {header_with(R"("dtype":"BF16",)" + shape + offsets),
       "tensor 'w' holds BF16 numbers, and only F32 is supported"},
      {header_with(dtype + R"("shape":2,)" + offsets), "the shape of tensor 'w' is no list"},
      {header_with(dtype + R"("shape":[-2],)" + offsets), "the shape of tensor 'w' must hold"},
      {header_with(dtype + R"("shape":[2.0],)" + offsets), "the shape of tensor 'w' must hold"},
      {header_with(dtype + R"("shape":["2"],)" + offsets), "the shape of tensor 'w' must hold"},
      {header_with(dtype + R"("shape":[3],)" + offsets), "of shape [3] cannot have 8 bytes"},
      // 2^62 x 2 numbers of 4 bytes would be 2^65 bytes: 0, if nobody looks.
      {header_with(dtype + R"("shape":[4611686018427387904,2],"data_offsets":[0,0])"),
       "cannot have 0 bytes"},
      {header_with(dtype + shape + R"("data_offsets":8)"), "are no pair"},
      {header_with(dtype + shape + R"("data_offsets":[0,4,8])"), "are no pair"},
      {header_with(dtype + shape + R"("data_offsets":[-8,0])"), "the data_offsets of tensor 'w'"},
      {header_with(dtype + shape + R"("data_offsets":[8,0])"), "ends before it begins"},
      {header_with(dtype + shape + R"("data_offsets":[4,12])"),
       "nothing describes the bytes before tensor 'w'"},
      {header_with(dtype + R"("dtype":"F32",)" + shape + offsets), "has 'dtype' twice"},
  };
  for (const auto& [header, sentence] : refusals)
    EXPECT_THAT(refusal(header), HasSubstr(sentence)) << header;
}

TEST_F(SafeTensorsTest, RefusesTensorsThatDoNotFitTogether) {
  const auto one = [](const char* name, int begin, int end) {
    return fmt::format(R"("{}":{{"dtype":"F32","shape":[{}],"data_offsets":[{},{}]}})", name,
                       (end - begin) / 4, begin, end);
  };
  const auto both = [](const std::string& a, const std::string& b) {
    return "{" + a + "," + b + "}";
  };
  EXPECT_EQ(refusal(both(one("a", 0, 4), one("b", 4, 8))), "not refused");
  EXPECT_THAT(refusal(both(one("a", 0, 8), one("b", 4, 8))), HasSubstr("'b' overlaps"));
  EXPECT_THAT(refusal(both(one("a", 0, 8), one("b", 0, 8))), HasSubstr("'b' overlaps"));
  EXPECT_THAT(refusal(both(one("a", 0, 4), one("b", 8, 12)), 12),
              HasSubstr("nothing describes the bytes before tensor 'b'"));
  EXPECT_THAT(refusal(both(one("a", 0, 4), one("a", 4, 8))), HasSubstr("has 'a' twice"));
}

TEST_F(SafeTensorsTest, RefusesMetadataThatIsNoText) {
  EXPECT_THAT(refusal(R"({"__metadata__":"x"})", 0), HasSubstr("its __metadata__ is no object"));
  EXPECT_THAT(refusal(R"({"__metadata__":{"round":1}})", 0),
              HasSubstr("'round' in its __metadata__ is no text"));
}

TEST_F(SafeTensorsTest, NamesAFileThatIsNotThereOrCannotBeWritten) {
  const std::string none = folder.path("none/x.safetensors");
  const Result<SafeTensors> read = read_safetensors(none);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr(none));
  const Result<void> written = write_safetensors(none, {}, {});
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, HasSubstr(none));
}

TEST_F(SafeTensorsTest, DoesNotWriteWhatItWouldNotRead) {
  const std::vector<float> value = {1.0f};
  const NamedTensor good{"w", {1}, value};
  for (const auto& tensors :
       {std::vector<NamedTensor>{{"w", {2}, value}}, std::vector<NamedTensor>{good, good},
        std::vector<NamedTensor>{{"__metadata__", {1}, value}}})
    EXPECT_THROW((void)write_safetensors(path(), tensors, {}), ContractViolation);
}

TEST(TensorsOf, AreTheBlocksOfALayout) {
  Layout layout;
  layout.add("weight", {2, 3});
  layout.add("bias", {2});
  const std::vector<float> x = {1, 2, 3, 4, 5, 6, 7, 8};
  const std::vector<NamedTensor> tensors = tensors_of(layout, view(x));
  ASSERT_EQ(tensors.size(), 2u);
  EXPECT_EQ(tensors[0].name, "weight");
  EXPECT_THAT(tensors[0].shape, ElementsAre(2, 3));
  EXPECT_THAT(tensors[0].values, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(tensors[1].name, "bias");
  EXPECT_THAT(tensors[1].values, ElementsAre(7, 8));
  const std::vector<float> shorter(7);
  EXPECT_THROW((void)tensors_of(layout, view(shorter)), ContractViolation);
}

}  // namespace
}  // namespace gossamer::testing
