#include "gossamer/reproduce/quantity.hpp"

#include <gtest/gtest.h>

#include "gossamer/base/contract.hpp"

namespace gossamer::testing {
namespace {

using Kind = Quantity::Kind;

Claim measuring(Measure measure, std::string metric = "error") {
  Claim claim;
  claim.measure = measure;
  claim.metric = std::move(metric);
  return claim;
}

TEST(Quantity, ThatIsABoundSatisfiesOnlyWhatItImplies) {
  EXPECT_TRUE((Quantity{5, Kind::kExact}.is_at_least(5)));
  EXPECT_TRUE((Quantity{5, Kind::kExact}.is_at_most(5)));
  EXPECT_TRUE((Quantity{5, Kind::kMore}.is_at_least(5)));
  EXPECT_FALSE((Quantity{5, Kind::kMore}.is_at_most(100)));
  EXPECT_TRUE((Quantity{5, Kind::kLess}.is_at_most(5)));
  EXPECT_FALSE((Quantity{5, Kind::kLess}.is_at_least(0)));
}

TEST(Quantity, OfABoundHasARatioThatIsOne) {
  const Quantity four{4};
  const Quantity more{8, Kind::kMore};
  EXPECT_EQ((four / four).kind, Kind::kExact);
  EXPECT_EQ((more / four).value, 2.0);
  EXPECT_EQ((more / four).kind, Kind::kMore);
  EXPECT_EQ((four / more).value, 0.5);
  EXPECT_EQ((four / more).kind, Kind::kLess);
  EXPECT_THROW((void)(more / more), ContractViolation);
  EXPECT_THROW((void)(four / Quantity{0}), ContractViolation);
}

TEST(Quantity, IsWrittenForPeople) {
  EXPECT_EQ(quantity_text({1361}, measuring(Measure::kRoundsTo)), "1361 rounds");
  EXPECT_EQ(quantity_text({3000, Kind::kMore}, measuring(Measure::kRoundsTo)), "> 3000 rounds");
  EXPECT_EQ(quantity_text({8.704e6}, measuring(Measure::kBitsTo)), "8.7 Mbit");
  EXPECT_EQ(quantity_text({999.6}, measuring(Measure::kBytesTo)), "1 kB");
  EXPECT_EQ(quantity_text({12}, measuring(Measure::kBytesTo)), "12 B");
  EXPECT_EQ(quantity_text({1.5}, measuring(Measure::kSecondsTo)), "1.50 s");
  EXPECT_EQ(quantity_text({2.6e-7}, measuring(Measure::kValue)), "error 2.6e-07");
  EXPECT_EQ(quantity_text({0}, measuring(Measure::kValue)), "error 0");
  EXPECT_EQ(quantity_text({153.2}, measuring(Measure::kValue, "seconds")), "153 s");
  EXPECT_EQ(quantity_text({0.5}, measuring(Measure::kValue, "mean_drift")), "mean drift 0.500");
  EXPECT_EQ(quantity_text({0.8567}, measuring(Measure::kValue, "test_accuracy_nodes_mean")),
            "85.7 %");
}

TEST(Quantity, ThatIsARatioSaysOfWhat) {
  const auto over = [](double ratio, Measure measure, Kind kind = Kind::kExact) {
    Claim claim = measuring(measure);
    claim.over = "other";
    return quantity_text({ratio, kind}, claim);
  };
  EXPECT_EQ(over(1.0, Measure::kRoundsTo), "1.00x the rounds");
  EXPECT_EQ(over(0.01234, Measure::kBitsTo, Kind::kLess), "< 0.0123x the bits");
  EXPECT_EQ(over(2.0, Measure::kSecondsTo), "2.00x the time");
  EXPECT_EQ(over(1.5, Measure::kValue), "1.50x the error");
  const auto under = [](double ratio, Measure measure, Kind kind = Kind::kExact) {
    Claim claim = measuring(measure);
    claim.under = "other";
    return quantity_text({ratio, kind}, claim);
  };
  EXPECT_EQ(under(82.345, Measure::kBitsTo), "82.3x fewer bits");
  EXPECT_EQ(under(99.97, Measure::kBytesTo), "100x fewer bytes");
  EXPECT_EQ(under(1234.5, Measure::kRoundsTo, Kind::kMore), "> 1234x fewer rounds");
  EXPECT_EQ(under(3.0, Measure::kSecondsTo), "3.00x less time");
  Claim bytes = measuring(Measure::kValue, "payload_bytes_per_node");
  EXPECT_EQ(quantity_text({2e6}, bytes), "2 MB");
  bytes.under = "other";
  EXPECT_EQ(quantity_text({31.4}, bytes), "31.4x fewer bytes");
  Claim accuracy = measuring(Measure::kValue, "test_accuracy_nodes_mean");
  accuracy.over = "other";
  EXPECT_EQ(quantity_text({0.9912}, accuracy), "0.991x the accuracy");
  EXPECT_EQ(under(1e7, Measure::kValue), "1e+07x less error");
}

TEST(Quantity, GrowsWhereItIsAnAccuracy) {
  EXPECT_TRUE(grows("test_accuracy_mean_model"));
  EXPECT_FALSE(grows("test_loss"));
  EXPECT_FALSE(grows("error"));
}

}  // namespace
}  // namespace gossamer::testing
