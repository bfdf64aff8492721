#include "apps/command.hpp"

#include <cstdio>
#include <exception>

#include <fmt/format.h>

namespace gossamer::cli {

int fail(ExitCode code, const std::string& sentence) {
  fmt::print(stderr, "gossamer: {}\n", sentence);
  return code;
}

int guarded(const Action& action, const std::string& who) {
  try {
    return action();
  } catch (const BadInput& error) {
    return fail(kBadInput, error.what());
  } catch (const ReportedElsewhere& elsewhere) {
    return elsewhere.code;
  } catch (const std::exception& error) {
    return fail(kInternalError, fmt::format("{}internal error: {}", who, error.what()));
  }
}

}  // namespace gossamer::cli
