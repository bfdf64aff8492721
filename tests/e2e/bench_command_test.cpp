// `gossamer bench`: what it prints, not how fast anything is.

#include <set>
#include <sstream>
#include <vector>

#include "tests/e2e/program.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace gossamer {
namespace {

using ::testing::HasSubstr;
using testing::ProgramResult;
using testing::run_program;

std::vector<nlohmann::json> rows_of(const ProgramResult& result) {
  std::vector<nlohmann::json> rows;
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);)
    rows.push_back(nlohmann::json::parse(line));
  return rows;
}

TEST(BenchCompressors, PrintsEncodeAndAddForEveryOperator) {
  const ProgramResult result =
      run_program({"bench", "compressors", "--dim", "1000", "--samples", "1", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  std::set<std::string> seen;
  for (const nlohmann::json& row : rows_of(result)) {
    seen.insert(row.at("compressor").get<std::string>() + " " + row.at("op").get<std::string>());
    EXPECT_EQ(row.at("d"), 1000);
    EXPECT_GT(row.at("ns_per_element").get<double>(), 0.0);
    EXPECT_GT(row.at("ratio_to_memcpy").get<double>(), 0.0);
    EXPECT_NEAR(row.at("gb_per_s").get<double>() * row.at("ns_per_element").get<double>(), 4.0,
                1e-9);
    EXPECT_GT(row.at("bytes_per_element").get<double>(), 0.0);
  }
  const auto listed = nlohmann::json::parse(run_program({"list", "--json"}).out);
  for (const auto& info : listed.at("compressors")) {
    for (const char* op : {" encode", " add"})
      EXPECT_TRUE(seen.contains(info.at("example").get<std::string>() + op)) << info << op;
  }
}

TEST(BenchCompressors, BytesPerElementAreTheEncodedSize) {
  const ProgramResult result = run_program({"bench", "compressors", "--dim", "10000", "--samples",
                                            "1", "--json", "--only", "qsgd:4", "--only", "sign"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::vector<nlohmann::json> rows = rows_of(result);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_DOUBLE_EQ(rows[0].at("bytes_per_element"), 5004.0 / 10000);
  EXPECT_DOUBLE_EQ(rows[2].at("bytes_per_element"), 1254.0 / 10000);
}

TEST(BenchCompressors, AMisspeltOperatorIsFoundBeforeAnythingIsMeasured) {
  const ProgramResult result =
      run_program({"bench", "compressors", "--only", "sign", "--only", "topkk:0.1"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("did you mean 'topk'?"));
  EXPECT_EQ(result.out, "");
}

TEST(BenchCompressors, AKBeyondTheVectorIsRefused) {
  const ProgramResult result =
      run_program({"bench", "compressors", "--only", "topk:k=50", "--dim", "10"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("k = 50 exceeds the vector's 10 elements"));
}

TEST(BenchCompressors, AnImpossibleLengthIsRefused) {
  for (const char* length : {"0", "-5", "many"}) {
    EXPECT_EQ(run_program({"bench", "compressors", "--dim", length}).exit_code, 2) << length;
  }
}

TEST(BenchProducts, PrintsBothProductsForEveryRank) {
  const ProgramResult result = run_program(
      {"bench", "products", "--rows", "30", "--columns", "40", "--samples", "1", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::vector<nlohmann::json> rows = rows_of(result);
  ASSERT_EQ(rows.size(), 16u);
  for (const nlohmann::json& row : rows)
    EXPECT_GT(row.at("share_of_read_bandwidth").get<double>(), 0.0);
}

}  // namespace
}  // namespace gossamer
