#pragma once

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "tests/e2e/program.hpp"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace gossamer::testing {

using Arguments = std::vector<std::string>;

inline Arguments operator+(Arguments left, const Arguments& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

/// What a command with --json printed: a row per reported round, and the summary.
struct RunOutput {
  int exit_code = -1;
  std::vector<nlohmann::json> rows;
  nlohmann::json summary;
  std::string err;

  [[nodiscard]] std::vector<std::uint64_t> rounds() const {
    std::vector<std::uint64_t> found;
    for (const nlohmann::json& row : rows)
      found.push_back(row.at("round"));
    return found;
  }
};

inline std::vector<nlohmann::json> json_lines(const std::string& text) {
  std::vector<nlohmann::json> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines.push_back(nlohmann::json::parse(line));
  return lines;
}

inline RunOutput run_json(const Arguments& arguments) {
  const ProgramResult result = run_program(arguments + Arguments{"--json"});
  RunOutput output{result.exit_code, json_lines(result.out), {}, result.err};
  if (output.rows.empty() || !output.rows.back().contains("summary")) {
    ADD_FAILURE() << "no summary at the end: " << result.out << result.err;
    return output;
  }
  EXPECT_EQ(output.rows.back().size(), 1u);
  output.summary = output.rows.back().at("summary");
  output.rows.pop_back();
  return output;
}

/// Without the values of keys that begin so.
inline nlohmann::json without(const nlohmann::json& object, const std::string& prefix) {
  nlohmann::json rest = nlohmann::json::object();
  for (const auto& [key, value] : object.items()) {
    if (!key.starts_with(prefix)) rest[key] = value;
  }
  return rest;
}

/// Rows without what is measured in real time.
inline std::vector<nlohmann::json> without_seconds(std::vector<nlohmann::json> rows) {
  for (nlohmann::json& row : rows)
    row = without(row, "seconds");
  return rows;
}

inline std::vector<std::string> keys_of(const nlohmann::json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items())
    keys.push_back(key);
  return keys;
}

inline std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// One line, exit code 2, nothing on standard output. Returns the sentence.
inline std::string refusal_of(const Arguments& arguments) {
  const ProgramResult result = run_program(arguments);
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_EQ(result.err.rfind("gossamer: ", 0), 0u) << result.err;
  return result.err;
}

}  // namespace gossamer::testing
