// main() of tests that run on every rank of a job: all ranks run the same tests in the same order.
// The first one reports, and all others only what failed.
#include "tests/mpi/rank_main.hpp"

#include <cstdio>
#include <memory>

#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

std::unique_ptr<MpiJob> the_job;

class FailuresOnly final : public ::testing::EmptyTestEventListener {
  void OnTestPartResult(const ::testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::fprintf(stderr, "rank %u: %s:%d: %s\n", the_job->rank(),
                 result.file_name() != nullptr ? result.file_name() : "?", result.line_number(),
                 result.message());
  }
};

}  // namespace

MpiJob& job() {
  return *the_job;
}

}  // namespace gossamer::testing

int main(int argc, char** argv) {
  using namespace gossamer::testing;
  ::testing::InitGoogleTest(&argc, argv);
  auto joined = gossamer::join_mpi();
  if (!joined) {
    std::fprintf(stderr, "%s\n", joined.error().message.c_str());
    return 1;
  }
  the_job = std::move(joined).value();
  if (the_job->rank() != 0) {
    ::testing::TestEventListeners& listeners = ::testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailuresOnly);
  }
  const int code = RUN_ALL_TESTS();
  std::fflush(nullptr);
  the_job.reset();
  return code;
}
