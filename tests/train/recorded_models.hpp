#pragma once

#include <fstream>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "tests/train/algorithm_settings.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gossamer/store/safetensors.hpp"
#include "gossamer/wire/digest.hpp"

namespace gossamer::testing {

// What every algorithm leaves behind was recorded once, in tests/golden/models.txt: a line for each
// form of an algorithm, with the digest of all nodes' models after a run of kRecordedRounds. Every
// world must still come to the same bits. Comparing worlds with each other alone would not notice a
// change that they all share.

inline constexpr const char* kRecordedFile = "models.txt";
inline constexpr NodeId kRecordedNodes = 4;
inline constexpr Round kRecordedRounds = 50;

/// Every algorithm as its registry shows it, and the forms of it that keep other state.
inline std::vector<AlgorithmInfo> recorded_forms() {
  std::vector<AlgorithmInfo> forms(algorithms().begin(), algorithms().end());
  for (const std::string spec : {"ecd:replicas", "choco:sum", "powergossip:rank=1"}) {
    AlgorithmInfo form = find_algorithm(spec).value();
    form.example = spec;
    forms.push_back(form);
  }
  return forms;
}

inline std::string name_of_form(const AlgorithmInfo& form) {
  std::string name = form.example;
  std::erase_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
  return name;
}

inline Settings recorded_settings(const AlgorithmInfo& form) {
  return settings_for(form, kRecordedNodes, kRecordedRounds);
}

/// Of the numbers in all nodes' model files, in the order of nodes.
inline std::string digest_of_models(std::span<const std::string> paths) {
  ByteWriter all;
  for (const std::string& path : paths) {
    const Result<SafeTensors> file = read_safetensors(path);
    if (!file) return file.error().message;
    const std::vector<float>& values = file.value().values;
    all.write_bytes(
        {reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * sizeof(float)});
  }
  return fmt::format("{:016x}", digest_of(all.bytes()));
}

inline std::string recorded_line(const AlgorithmInfo& form, const std::string& digest) {
  return fmt::format("{} {}\n", form.example, digest);
}

/// By form, as the file has them.
inline std::map<std::string, std::string> recorded_digests() {
  std::ifstream file(fmt::format("{}/tests/golden/{}", GOSSAMER_SOURCE_DIR, kRecordedFile));
  std::map<std::string, std::string> digests;
  for (std::string form, digest; file >> form >> digest;)
    digests[form] = digest;
  return digests;
}

inline void expect_recorded(const AlgorithmInfo& form, std::span<const std::string> paths) {
  EXPECT_EQ(recorded_digests()[form.example], digest_of_models(paths))
      << form.example << " does not come to the bits that were recorded";
}

/// The model files of a complete round of checkpoints.
inline std::vector<std::string> model_files_in(const std::string& checkpoints) {
  std::vector<std::string> paths;
  for (NodeId node = 0; node < kRecordedNodes; ++node) {
    paths.push_back(
        fmt::format("{}/round-{:09}/node-{:05}.safetensors", checkpoints, kRecordedRounds, node));
  }
  return paths;
}

}  // namespace gossamer::testing
