#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "gossamer/reproduce/registry.hpp"

namespace gossamer::testing {

/// The entries that come with the program, for tests over all of them.
inline std::vector<std::string> names_of_entries() {
  std::vector<std::string> names;
  for (const StoredEntry& stored : stored_entries())
    names.emplace_back(stored.name);
  return names;
}

inline std::string test_name(const ::testing::TestParamInfo<std::string>& entry) {
  std::string name = entry.param;
  std::ranges::replace(name, '-', '_');
  return name;
}

inline Entry stored_entry(const std::string& name, Effort effort) {
  const Result<Entry> found = find_entry(name, effort);
  EXPECT_TRUE(found) << found.error().message;
  return found ? found.value() : Entry{};
}

}  // namespace gossamer::testing
