#pragma once

#include <string>

#include <gtest/gtest.h>

#include "gossamer/reproduce/entry.hpp"

namespace gossamer::testing {

/// An entry in two parts, so that tests can put lines of their own between and behind them.
inline const std::string kHeading = R"(
title = "a title"
paper = "a paper"
about = "what was done"
command = "consensus"
)";

inline const std::string kBody = R"(
[settings]
nodes = 4
dim = 5
algorithm = "exact"
gamma = 1
rounds = 30

[[run]]
name = "one"

[[run]]
name = "two"
settings = { gamma = 0.5 }

[[plot]]
x = "rounds"
y = "error"
scale = "log"

[[claim]]
says = "one is faster"
claimed = "faster"
run = "one"
over = "two"
measure = "rounds-to"
metric = "error"
target = 1e-3
at_most = 1.0
)";

/// What a claim about `one` is, but for what it measures.
inline const std::string kClaim = R"(
[[claim]]
says = "it works"
claimed = "works"
run = "one"
)";

inline Entry entry_of(const std::string& text, Effort effort = Effort::kQuick) {
  const Result<Entry> entry = parse_entry("mine", "mine.toml", text, effort);
  EXPECT_TRUE(entry) << entry.error().message;
  return entry ? entry.value() : Entry{};
}

}  // namespace gossamer::testing
