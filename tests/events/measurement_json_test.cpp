// A measurement as users read it in metrics.jsonl.

#include "gossamer/events/measurement_json.hpp"

#include <chrono>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace gossamer::testing {
namespace {

using nlohmann::json;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> keys_of(const std::string& text) {
  std::vector<std::string> keys;
  const auto object = nlohmann::ordered_json::parse(text);
  for (const auto& [key, value] : object.items())
    keys.push_back(key);
  return keys;
}

Measurement some_measurement() {
  Measurement measurement;
  measurement.round = 100;
  measurement.objective = 0.5;
  measurement.suboptimality = 0.25;
  measurement.consensus_distance = 0.125;
  measurement.bytes_sent_per_node = 1e12;
  measurement.seconds = 1.5;
  return measurement;
}

TEST(MeasurementJson, HasNoDistanceWhereNotAllModelsWereSeen) {
  Measurement measurement = some_measurement();
  measurement.consensus_distance.reset();
  EXPECT_THAT(to_json(measurement), Not(HasSubstr("consensus_distance")));
}

TEST(MeasurementJson, HasTheFieldsOfTraining) {
  EXPECT_THAT(
      keys_of(to_json(some_measurement())),
      ElementsAre("round", "objective", "suboptimality", "consensus_distance",
                  "bytes_sent_per_node", "payload_bytes_per_node", "seconds", "seconds_compute",
                  "seconds_encode", "seconds_wait", "seconds_decode", "seconds_mix"));
}

TEST(MeasurementJson, SaysWhereTheTimeWent) {
  Measurement measurement;
  for (const int i : {0, 1, 2, 3, 4, 5})
    measurement.spent.by_phase.at(static_cast<std::size_t>(i)) = std::chrono::milliseconds(i + 1);
  const json parsed = json::parse(to_json(measurement));
  EXPECT_EQ(parsed.at("seconds_compute"), 0.001);
  EXPECT_EQ(parsed.at("seconds_encode"), 0.002);
  EXPECT_EQ(parsed.at("seconds_wait"), 0.003);
  EXPECT_EQ(parsed.at("seconds_decode"), 0.004);
  EXPECT_EQ(parsed.at("seconds_mix"), 0.005);
}

TEST(MeasurementJson, LeavesOutASuboptimalityThatNobodyKnows) {
  Measurement measurement = some_measurement();
  measurement.suboptimality = std::nullopt;
  EXPECT_THAT(keys_of(to_json(measurement)), Not(Contains("suboptimality")));
}

TEST(MeasurementJson, HasTheFieldsOfConsensus) {
  Measurement measurement;
  measurement.error = measurement.mean_drift = 0.5;
  EXPECT_THAT(keys_of(to_json(measurement)),
              ElementsAre("round", "error", "mean_drift", "bytes_sent_per_node",
                          "payload_bytes_per_node", "seconds", "seconds_compute", "seconds_encode",
                          "seconds_wait", "seconds_decode", "seconds_mix"));
}

TEST(MeasurementJson, GivesWholeBytesWhereTheyAreAndNoNumberThatIsNone) {
  Measurement measurement = some_measurement();
  EXPECT_THAT(to_json(measurement), HasSubstr("\"bytes_sent_per_node\":1000000000000,"));
  measurement.bytes_sent_per_node = 2.5;
  measurement.objective = std::numeric_limits<double>::quiet_NaN();
  const json parsed = json::parse(to_json(measurement));
  EXPECT_EQ(parsed.at("bytes_sent_per_node"), 2.5);
  EXPECT_TRUE(parsed.at("objective").is_null());
}

}  // namespace
}  // namespace gossamer::testing
