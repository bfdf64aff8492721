// Files of pictures: IDX (MNIST and its relatives) and CIFAR-10.

#include <fstream>
#include <string>
#include <sys/stat.h>
#include <zlib.h>

#include "tests/support/temporary_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/learn/images/cifar.hpp"
#include "gossamer/learn/images/idx.hpp"

namespace gossamer {
namespace {

using gossamer::testing::TemporaryFolder;
using ::testing::HasSubstr;

void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string gzipped(const std::string& bytes) {
  std::string packed(compressBound(bytes.size()) + 64, '\0');
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string big_endian(std::uint32_t number) {
  std::string bytes;
  for (const unsigned shift : {24u, 16u, 8u, 0u})
    bytes += static_cast<char>(number >> shift & 0xFF);
  return bytes;
}

std::string idx_images(std::uint32_t count) {
  std::string bytes = big_endian(0x803) + big_endian(count) + big_endian(2) + big_endian(3);
  for (std::uint32_t i = 0; i < count * 6; ++i)
    bytes += static_cast<char>(i);
  return bytes;
}

std::string idx_labels(const std::string& labels) {
  return big_endian(0x801) + big_endian(static_cast<std::uint32_t>(labels.size())) + labels;
}

class Idx : public ::testing::Test {
 protected:
  void write_images(const std::string& bytes) {
    write(folder.path("train-images-idx3-ubyte"), bytes);
  }

  void write_labels(const std::string& bytes) {
    write(folder.path("train-labels-idx1-ubyte"), bytes);
  }

  std::string refusal() {
    const Result<ImageSet> set = read_idx(folder.path(), Split::kTrain);
    return set.ok() ? "" : set.error().message;
  }

  TemporaryFolder folder;
};

TEST_F(Idx, IsReadPictureByPicture) {
  write_images(idx_images(3));
  write_labels(idx_labels({2, 0, 1}));
  const ImageSet set = read_idx(folder.path(), Split::kTrain).value();
  EXPECT_EQ(set.size(), 3u);
  EXPECT_EQ(set.classes, 3u);
  EXPECT_EQ(set.shape, (ImageShape{1, 2, 3}));
  EXPECT_THAT(set.image(1), ::testing::ElementsAre(6, 7, 8, 9, 10, 11));
  EXPECT_THAT(set.labels, ::testing::ElementsAre(2, 0, 1));
}

TEST_F(Idx, MayBeGzipped) {
  write(folder.path("t10k-images-idx3-ubyte.gz"), gzipped(idx_images(2)));
  write(folder.path("t10k-labels-idx1-ubyte.gz"), gzipped(idx_labels({0, 1})));
  const ImageSet set = read_idx(folder.path(), Split::kTest).value();
  EXPECT_EQ(set.size(), 2u);
  EXPECT_EQ(set.image(1).front(), 6);
}

TEST_F(Idx, AMissingFileIsNamed) {
  EXPECT_THAT(refusal(), HasSubstr("train-images-idx3-ubyte"));
  write_images(idx_images(3));
  EXPECT_THAT(refusal(), HasSubstr("train-labels-idx1-ubyte"));
}

TEST_F(Idx, ATruncatedFileIsRefusedAtEveryLength) {
  const std::string whole = idx_images(2);
  write_labels(idx_labels({0, 1}));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write_images(whole.substr(0, size));
    EXPECT_THAT(refusal(), HasSubstr("train-images-idx3-ubyte")) << size << " bytes";
  }
  write_images(whole + "x");
  EXPECT_THAT(refusal(), HasSubstr("promises 12 bytes, and more follow"));
}

TEST_F(Idx, ATruncatedGzipIsRefused) {
  const std::string whole = gzipped(idx_images(2));
  write(folder.path("train-images-idx3-ubyte.gz"), whole.substr(0, whole.size() - 9));
  write_labels(idx_labels({0, 1}));
  EXPECT_THAT(refusal(), HasSubstr("train-images-idx3-ubyte.gz"));
}

/// Bytes that are not packed at all, and many of them.
std::string noise(std::size_t size) {
  std::string bytes;
  std::uint32_t state = 1;
  while (bytes.size() < size) {
    state = state * 1664525u + 1013904223u;
    bytes += static_cast<char>(state >> 24);
  }
  return bytes;
}

// Both files are damaged behind what is to be judged first: who reads on, sees the damage.
TEST_F(Idx, AHeaderIsJudgedBeforeAllElseIsUnpacked) {
  std::string packed = gzipped(idx_labels("") + noise(4'000'000));
  packed.resize(packed.size() / 2);
  write(folder.path("train-images-idx3-ubyte.gz"), packed);
  write_labels(idx_labels({0, 1}));
  EXPECT_THAT(refusal(), HasSubstr("begins with 0x00000801"));
}

TEST_F(Idx, NoMoreIsUnpackedThanTheHeaderPromises) {
  std::string packed = gzipped(idx_images(2) + noise(4'000'000));
  packed.resize(packed.size() / 2);
  write(folder.path("train-images-idx3-ubyte.gz"), packed);
  write_labels(idx_labels({0, 1}));
  EXPECT_THAT(refusal(), HasSubstr("promises 12 bytes, and more follow"));
}

TEST_F(Idx, PicturesAreNotUnpackedForWhichThereAreNoLabels) {
  std::string packed = gzipped(big_endian(0x803) + big_endian(100'000) + big_endian(200) +
                               big_endian(300) + noise(4'000'000));
  packed.resize(packed.size() / 2);
  write(folder.path("train-images-idx3-ubyte.gz"), packed);
  write_labels(idx_labels({0, 1}));
  EXPECT_THAT(refusal(), HasSubstr("100000 pictures and 2 labels"));
}

TEST_F(Idx, APipeIsNotWaitedFor) {
  ASSERT_EQ(::mkfifo(folder.path("train-images-idx3-ubyte").c_str(), 0600), 0);
  EXPECT_THAT(refusal(), HasSubstr("is a pipe, and no regular file"));
}

TEST_F(Idx, AnotherKindOfFileIsRefused) {
  write_images(idx_labels({0, 1}));
  write_labels(idx_labels({0, 1}));
  EXPECT_THAT(refusal(), HasSubstr("begins with 0x00000801"));
}

TEST_F(Idx, PicturesWithoutLabelsAreRefused) {
  write_images(idx_images(3));
  write_labels(idx_labels({0, 1}));
  EXPECT_THAT(refusal(), HasSubstr("3 pictures and 2 labels"));
}

std::string cifar_records(int count, char label) {
  std::string bytes;
  for (int i = 0; i < count; ++i)
    bytes += label + std::string(3072, static_cast<char>(i));
  return bytes;
}

TEST(Cifar, JoinsItsFiveBatches) {
  const TemporaryFolder folder;
  for (int batch = 1; batch <= 5; ++batch) {
    write(folder.path("data_batch_" + std::to_string(batch) + ".bin"),
          cifar_records(2, static_cast<char>(batch)));
  }
  const ImageSet set = read_cifar10(folder.path(), Split::kTrain).value();
  EXPECT_EQ(set.size(), 10u);
  EXPECT_EQ(set.shape, (ImageShape{3, 32, 32}));
  EXPECT_EQ(set.classes, 10u);
  EXPECT_THAT(set.labels, ::testing::ElementsAre(1, 1, 2, 2, 3, 3, 4, 4, 5, 5));
  EXPECT_EQ(set.image(3).front(), 1);
}

TEST(Cifar, MayBeGzipped) {
  const TemporaryFolder folder;
  write(folder.path("test_batch.bin.gz"), gzipped(cifar_records(2, 3)));
  EXPECT_EQ(read_cifar10(folder.path(), Split::kTest).value().size(), 2u);
}

TEST(Cifar, RefusesWhatIsNoBatch) {
  const TemporaryFolder folder;
  EXPECT_THAT(read_cifar10(folder.path(), Split::kTest).error().message,
              HasSubstr("test_batch.bin"));
  write(folder.path("test_batch.bin"), cifar_records(2, 3).substr(1));
  EXPECT_THAT(read_cifar10(folder.path(), Split::kTest).error().message,
              HasSubstr("not a whole number of records of 3073"));
  write(folder.path("test_batch.bin"), cifar_records(1, 3) + cifar_records(1, 10));
  EXPECT_THAT(read_cifar10(folder.path(), Split::kTest).error().message,
              HasSubstr("record 1 has class 10"));
}

}  // namespace
}  // namespace gossamer
