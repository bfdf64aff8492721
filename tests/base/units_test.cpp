#include "gossamer/base/text/units.hpp"

#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "gossamer/base/contract.hpp"
#include "gossamer/base/rng.hpp"

namespace gossamer {
namespace {

using namespace std::chrono_literals;

TEST(Units, BandwidthIsInBitsOrBytesWithDecimalFactors) {
  const auto rate = [](const char* text) { return parse_bandwidth(text).value(); };
  EXPECT_EQ(rate("100Mbps"), 12.5e6);
  EXPECT_EQ(rate("1Gbps"), 125e6);
  EXPECT_EQ(rate("10kbps"), 1250);
  EXPECT_EQ(rate("1MBps"), 1e6);
  EXPECT_EQ(rate("2.5GBps"), 2.5e9);
  EXPECT_EQ(rate("8bps"), 1);
  EXPECT_EQ(rate("1.5Bps"), 1.5);
  EXPECT_EQ(rate("1e-3Mbps"), 125);
  EXPECT_EQ(rate("0.4Tbps"), 50e9);
}

TEST(Units, RefusesWhatIsNoBandwidth) {
  for (const char* text :
       {"", "100", "Mbps", "100 Mbps", "100mbps", "0Mbps", "-1Mbps", "infMbps", "nanMbps",
        "1e400Mbps", "1e308TBps", "1e-400bps", "1MbpsX", "1.2.3Mbps", "+1Mbps"}) {
    EXPECT_FALSE(parse_bandwidth(text)) << text;
  }
  EXPECT_EQ(
      parse_bandwidth("fast").error().message,
      "'fast' is not a bandwidth; write a positive number and a unit, as in 100Mbps (bits) or "
      "12.5MBps (bytes)");
}

TEST(Units, DurationsAreWholeNanoseconds) {
  const auto duration = [](const char* text) { return parse_duration(text).value(); };
  EXPECT_EQ(duration("10ms"), 10ms);
  EXPECT_EQ(duration("1.5s"), 1500ms);
  EXPECT_EQ(duration("200us"), 200us);
  EXPECT_EQ(duration("5min"), 5min);
  EXPECT_EQ(duration("2h"), 2h);
  EXPECT_EQ(duration("7ns"), 7ns);
  EXPECT_EQ(duration("0s"), 0ns);
  EXPECT_EQ(duration("0"), 0ns);
  EXPECT_EQ(duration("0.1ns"), 0ns);
  EXPECT_EQ(duration("1e3us"), 1ms);
  EXPECT_EQ(duration("9223372036854775807ns"), Duration::max()) << "exact beyond a double";
}

TEST(Units, RefusesWhatIsNoDuration) {
  for (const char* text : {"", "10", "ms", "10 ms", "-1s", "-0.5s", "infs", "nans", "1e400s",
                           "300000000h", "9223372036854775808ns", "1sec", "1m", "1.2.3s"}) {
    EXPECT_FALSE(parse_duration(text)) << text;
  }
  EXPECT_EQ(
      parse_duration("soon").error().message,
      "'soon' is not a duration; write a number from 0 on and a unit, as in 10ms, 1.5s or 5min");
}

TEST(Units, TextsAreShort) {
  EXPECT_EQ(format_bandwidth(12.5e6), "100Mbps");
  EXPECT_EQ(format_bandwidth(125e6), "1Gbps");
  EXPECT_EQ(format_bandwidth(0.1), "0.1Bps");
  EXPECT_EQ(format_duration(0s), "0s");
  EXPECT_EQ(format_duration(90s), "90s");
  EXPECT_EQ(format_duration(120s), "2min");
  EXPECT_EQ(format_duration(1500ms), "1500ms");
  EXPECT_EQ(format_duration(100us), "100us");
}

TEST(Units, TextsParseBackToTheSameValue) {
  Rng rng(RngKey{.seed = 5, .purpose = Purpose::kTest});
  for (int i = 0; i < 2000; ++i) {
    const double rate = std::ldexp(rng.uniform() + 0x1p-60, static_cast<int>(rng.below(100)) - 20);
    EXPECT_EQ(parse_bandwidth(format_bandwidth(rate)).value(), rate);
    const Duration duration(static_cast<std::int64_t>(rng.next_u64() >> (1 + rng.below(63))));
    EXPECT_EQ(parse_duration(format_duration(duration)).value(), duration);
  }
}

TEST(Units, OnlyWhatCanBeParsedHasAText) {
  EXPECT_THROW((void)format_bandwidth(0), ContractViolation);
  EXPECT_THROW((void)format_duration(Duration(-1)), ContractViolation);
}

}  // namespace
}  // namespace gossamer
