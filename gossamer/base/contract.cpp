#include "gossamer/base/contract.hpp"

#include <fmt/format.h>

namespace gossamer {

void report_violation(const char* promise, const CodePlace& where) {
  throw ContractViolation(
      fmt::format("{} ({}:{}, in {})", promise, where.file, where.line, where.function));
}

}  // namespace gossamer
