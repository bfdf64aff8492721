// Files of a run's state: whole or not at all, of this run or refused.

#include "gossamer/store/checkpoint.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/temporary_folder.hpp"
#include "tests/support/vectors.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/base/file.hpp"
#include "gossamer/wire/digest.hpp"

namespace gossamer::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

namespace fs = std::filesystem;

/// What a node would keep.
struct State {
  std::vector<float> x = std::vector<float>(3);
  std::uint64_t count = 0;

  bool operator==(const State&) const = default;

  [[nodiscard]] ShowState show() {
    return [this](StateVisitor& visitor) {
      visitor.visit("x", view(x));
      visitor.visit("count", count);
    };
  }
};

State some_state(NodeId node = 0) {
  return {normal_vector(3, node), 77 + node};
}

const Identity kIdentity = {{"seed", "1"}, {"lr", "0.5"}};

CheckpointStore store_in(const TemporaryFolder& folder, NodeId files = 2,
                         Identity identity = kIdentity) {
  return {folder.path("checkpoints"), std::move(identity), files};
}

// All files of one round.
void save_round(CheckpointStore& store, Round round, NodeId files = 2) {
  for (NodeId node = 0; node < files; ++node) {
    State state = some_state(node);
    const Result<std::uint64_t> saved = store.save(node, round, state.show(), {});
    ASSERT_TRUE(saved) << saved.error().message;
  }
}

std::string round_folder(const TemporaryFolder& folder, Round round) {
  return folder.path(fmt::format("checkpoints/round-{:09}", round));
}

std::string file_of(const TemporaryFolder& folder, Round round, NodeId node) {
  return round_folder(folder, round) + fmt::format("/node-{:05}.ckpt", node);
}

// Unlike write_file() it does not wait for the disk.
void overwrite(const std::string& path, const std::vector<std::uint8_t>& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

std::string load_refusal(const CheckpointStore& store, NodeId node, Round round) {
  State state;
  const Result<void> loaded = store.load(node, round, state.show());
  return loaded ? "not refused" : loaded.error().message;
}

TEST(Checkpoint, GivesBackWhatWasSaved) {
  const TemporaryFolder folder;
  CheckpointStore store = store_in(folder);
  save_round(store, 10);
  const CheckpointStore later = store_in(folder);
  ASSERT_TRUE(later.newest());
  EXPECT_EQ(later.newest().value(), 10u);
  for (const NodeId node : {0u, 1u}) {
    State state;
    const Result<void> loaded = later.load(node, 10, state.show());
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(state, some_state(node));
  }
}

TEST(Checkpoint, RefusesEveryDamagedByte) {
  const TemporaryFolder folder;
  CheckpointStore store = store_in(folder, 1);
  save_round(store, 10, 1);
  const std::string path = file_of(folder, 10, 0);
  const std::vector<std::uint8_t> whole = read_file(path).value();
  ASSERT_LT(whole.size(), 200u);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const int flip : {0x01, 0x80, 0xFF}) {
      std::vector<std::uint8_t> damaged = whole;
      damaged[i] = static_cast<std::uint8_t>(damaged[i] ^ flip);
      overwrite(path, damaged);
      EXPECT_THAT(load_refusal(store, 0, 10), AllOf(HasSubstr(path), HasSubstr("damaged"))) << i;
      EXPECT_FALSE(store.newest()) << i;
    }
  }
}

TEST(Checkpoint, RefusesEveryTruncationAndEveryTail) {
  const TemporaryFolder folder;
  CheckpointStore store = store_in(folder, 1);
  save_round(store, 10, 1);
  const std::string path = file_of(folder, 10, 0);
  std::vector<std::uint8_t> bytes = read_file(path).value();
  bytes.push_back(0);
  overwrite(path, bytes);
  EXPECT_THAT(load_refusal(store, 0, 10), HasSubstr("damaged"));
  bytes.pop_back();
  while (!bytes.empty()) {
    bytes.pop_back();
    overwrite(path, bytes);
    EXPECT_THAT(load_refusal(store, 0, 10), HasSubstr("damaged")) << bytes.size();
  }
}

// A file with a right digest that no version of ours has written.
std::string refusal_of_forged(const std::vector<std::uint32_t>& words) {
  const TemporaryFolder folder;
  CheckpointStore store = store_in(folder, 1);
  save_round(store, 10, 1);
  ByteWriter out;
  for (const std::uint32_t word : words)
    out.write(word);
  out.write(digest_of(out.bytes()));
  EXPECT_TRUE(write_file(file_of(folder, 10, 0), out.bytes()));
  return load_refusal(store, 0, 10);
}

TEST(Checkpoint, RefusesOtherFilesThatAreWhole) {
  EXPECT_THAT(refusal_of_forged({}), HasSubstr("no checkpoint"));
  EXPECT_THAT(refusal_of_forged({1, 2, 3, 4}), HasSubstr("no checkpoint"));
  // "GSSMCKP1", round 10, node 0, and an identity of four thousand million keys.
  EXPECT_THAT(refusal_of_forged({0x4D535347, 0x31504B43, 10, 0, 0, 0xFFFFFFFF}),
              HasSubstr("no checkpoint"));
}

TEST(Checkpoint, FallsBackToTheOlderRoundWhenAFileIsMissing) {
  const TemporaryFolder folder;
  CheckpointStore store = store_in(folder);
  save_round(store, 10);
  save_round(store, 20);
  fs::remove(file_of(folder, 20, 1));
  EXPECT_EQ(store.newest().value(), 10u);
  fs::remove(file_of(folder, 10, 0));
  const Result<Round> none = store.newest();
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("no complete checkpoint"));
}

TEST(Checkpoint, OfARoundThatWasCutShortIsNotTaken) {
  const TemporaryFolder folder;
  CheckpointStore store = store_in(folder);
  save_round(store, 10);
  State state = some_state();
  ASSERT_TRUE(store.save(0, 20, state.show(), {}));
  // As a process that was killed while it wrote leaves it.
  ASSERT_TRUE(write_file(file_of(folder, 20, 1) + ".part", as_bytes("half")));
  EXPECT_EQ(store_in(folder).newest().value(), 10u);
}

TEST(Checkpoint, OfOneNodeIsItsNewestThatIsWhole) {
  const TemporaryFolder folder;
  CheckpointStore store = store_in(folder);
  EXPECT_EQ(store.newest_by(1).value(), std::nullopt);
  save_round(store, 10);
  State state = some_state();
  ASSERT_TRUE(store.save(1, 20, state.show(), {}));
  EXPECT_EQ(store.newest_by(0).value(), 10u);
  EXPECT_EQ(store.newest_by(1).value(), 20u);
  ASSERT_TRUE(write_file(file_of(folder, 20, 1), as_bytes("damaged")));
  EXPECT_EQ(store.newest_by(1).value(), 10u);
  ASSERT_TRUE(write_file(file_of(folder, 10, 1), as_bytes("damaged")));
  const auto none = store.newest_by(1);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("is damaged"));
}

TEST(Checkpoint, InNoFolderIsAnErrorThatNamesIt) {
  const TemporaryFolder folder;
  const Result<Round> none = store_in(folder).newest();
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr(folder.path("checkpoints")));
}

TEST(Checkpoint, PassesOverWhatIsNoRound) {
  const TemporaryFolder folder;
  CheckpointStore store = store_in(folder);
  save_round(store, 10);
  fs::create_directories(folder.path("checkpoints/round-x"));
  fs::create_directories(folder.path("checkpoints/notes"));
  fs::create_directories(folder.path("checkpoints/round-99"));
  EXPECT_EQ(store.newest().value(), 10u);
}

TEST(Checkpoint, OfAnotherRunIsRefusedWithTheFirstKeyThatDiffers) {
  const TemporaryFolder folder;
  CheckpointStore store = store_in(folder);
  save_round(store, 10);
  const CheckpointStore other = store_in(folder, 2, {{"seed", "1"}, {"lr", "0.25"}});
  const Result<Round> newest = other.newest();
  ASSERT_FALSE(newest);
  EXPECT_THAT(newest.error().message,
              HasSubstr("belongs to another run: its lr is '0.5', and that of this run '0.25'"));
  EXPECT_THAT(load_refusal(other, 0, 10), HasSubstr("its lr is '0.5'"));
}

TEST(Checkpoint, OfARunWithFewerNodesIsOfAnotherRunAndNotIncomplete) {
  const TemporaryFolder folder;
  CheckpointStore two = store_in(folder, 2, {{"nodes", "2"}});
  save_round(two, 10);
  const Result<Round> newest = store_in(folder, 4, {{"nodes", "4"}}).newest();
  ASSERT_FALSE(newest);
  EXPECT_THAT(newest.error().message, HasSubstr("its nodes is '2', and that of this run '4'"));
}

TEST(Checkpoint, OfAVersionWithOtherKeysIsRefused) {
  const TemporaryFolder folder;
  CheckpointStore store = store_in(folder);
  save_round(store, 10);
  const std::vector<Identity> others = {{{"seed", "1"}},
                                        {{"seed", "1"}, {"rate", "0.5"}},
                                        {{"seed", "1"}, {"lr", "0.5"}, {"l2", ""}}};
  for (const Identity& identity : others) {
    EXPECT_THAT(load_refusal(store_in(folder, 2, identity), 0, 10), HasSubstr("another version"));
  }
}

TEST(Checkpoint, OfAnotherNodeOrRoundIsRefusedUnderItsNewName) {
  const TemporaryFolder folder;
  CheckpointStore store = store_in(folder);
  save_round(store, 10);
  save_round(store, 20);
  fs::copy_file(file_of(folder, 20, 0), file_of(folder, 20, 1),
                fs::copy_options::overwrite_existing);
  EXPECT_THAT(load_refusal(store, 1, 20), HasSubstr("another round or node"));
  fs::copy_file(file_of(folder, 10, 1), file_of(folder, 20, 1),
                fs::copy_options::overwrite_existing);
  EXPECT_THAT(load_refusal(store, 1, 20), HasSubstr("another round or node"));
  EXPECT_FALSE(store.newest());
}

TEST(Checkpoint, OfAnotherShapeOfStateIsRefused) {
  const TemporaryFolder folder;
  CheckpointStore store = store_in(folder);
  save_round(store, 10);
  std::vector<float> x(4);
  std::uint64_t count = 0;
  const std::vector<std::pair<ShowState, std::string>> others = {
      {[&](StateVisitor& visitor) { visitor.visit("x", view(x)); }, "'x' has another length"},
      {[&](StateVisitor& visitor) { visitor.visit("y", view(x)); }, "'x' stands where 'y'"},
      {[&](StateVisitor& visitor) { visitor.visit("x", count); }, "'x' stands where 'x'"},
      {[](StateVisitor&) {}, ""},
  };
  for (const auto& [show, reason] : others) {
    const Result<void> loaded = store.load(0, 10, show);
    ASSERT_FALSE(loaded);
    EXPECT_THAT(loaded.error().message,
                AllOf(HasSubstr("does not fit this run"), HasSubstr(reason)));
  }
}

TEST(Checkpoint, KeepsTheLastTwoCompleteRounds) {
  const TemporaryFolder folder;
  CheckpointStore store = store_in(folder);
  for (const Round round : {10, 20, 30, 40})
    save_round(store, round);
  EXPECT_FALSE(fs::exists(round_folder(folder, 10)));
  EXPECT_FALSE(fs::exists(round_folder(folder, 20)));
  EXPECT_TRUE(fs::exists(round_folder(folder, 30)));
  EXPECT_TRUE(fs::exists(round_folder(folder, 40)));
}

TEST(Checkpoint, KeepsTheLastCompleteRoundUntilTheNextIsComplete) {
  const TemporaryFolder folder;
  CheckpointStore store = store_in(folder);
  save_round(store, 10);
  State state = some_state();
  for (const Round round : {20, 30, 40})
    ASSERT_TRUE(store.save(0, round, state.show(), {}));
  EXPECT_EQ(store.newest().value(), 10u);
}

TEST(Checkpoint, CanBeSavedByAllNodesAtOnce) {
  constexpr NodeId kNodes = 8;
  const TemporaryFolder folder;
  CheckpointStore store = store_in(folder, kNodes);
  {
    std::vector<std::jthread> threads;
    for (NodeId node = 0; node < kNodes; ++node) {
      threads.emplace_back([&store, node] {
        State state = some_state(node);
        for (const Round round : {1, 2, 3})
          EXPECT_TRUE(store.save(node, round, state.show(), {}));
      });
    }
  }
  EXPECT_EQ(store.newest().value(), 3u);
}

TEST(Checkpoint, ThatCannotBeWrittenIsAnError) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path("checkpoints"), as_bytes("a file in the folder's place")));
  CheckpointStore store = store_in(folder);
  State state = some_state();
  const Result<std::uint64_t> saved = store.save(0, 10, state.show(), {});
  ASSERT_FALSE(saved);
  EXPECT_THAT(saved.error().message, HasSubstr("cannot make the folder"));
  EXPECT_FALSE(store.newest());
}

TEST(Checkpoint, WhoseOldFileCannotBeReplacedIsAnError) {
  const TemporaryFolder folder;
  fs::create_directories(file_of(folder, 10, 0) + "/full");
  CheckpointStore store = store_in(folder);
  State state = some_state();
  const Result<std::uint64_t> saved = store.save(0, 10, state.show(), {});
  ASSERT_FALSE(saved);
  EXPECT_THAT(saved.error().message, HasSubstr(file_of(folder, 10, 0)));
  EXPECT_THAT(load_refusal(store, 0, 10), HasSubstr("cannot read"));
}

}  // namespace
}  // namespace gossamer::testing
