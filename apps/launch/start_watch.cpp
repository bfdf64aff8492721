#include "apps/launch/start_watch.hpp"

#include "apps/console/beginning_line.hpp"
#include "apps/console/whole_lines.hpp"

namespace gossamer::cli {
namespace {

// Said by peers that print events, and by all others.
constexpr std::string_view kBeganEvent = R"({"event":"began",)";

// What happens to links is told in lines with the time of day, and explains no end.
bool is_timed(std::string_view line) {
  return line.size() > 8 && line[2] == ':' && line[5] == ':' && line[8] == ' ';
}

}  // namespace

void StartWatch::take(std::size_t child, ChildStream stream, std::string_view lines) {
  std::string rest;
  for_each_line(lines, [&](std::string_view line) {
    const bool is_signal = stream == ChildStream::kOut && line == BeginningLine::kLine;
    const bool is_event = stream == ChildStream::kOut && line.starts_with(kBeganEvent);
    if (is_signal || is_event) is_over_ = true;
    if (stream == ChildStream::kErr && !is_over_ && !line.empty() && !is_timed(line))
      last_words_[child] = line;
    if (!is_signal) rest.append(line).append("\n");
  });
  if (!rest.empty()) listener_.take(child, stream, rest);
}

StartWatch::Others StartWatch::ended(std::size_t child, const ChildEnd& end) {
  (void)listener_.ended(child, end);
  if (is_over_ || end.code() == 0) return Others::kGoOn;
  is_over_ = true;
  // One that was killed could not say why.
  failure_ = Failure{child, end, end.signal == 0 ? last_words_[child] : ""};
  return Others::kEnd;
}

void StartWatch::signalled(int signal) {
  is_over_ = true;
  listener_.signalled(signal);
}

}  // namespace gossamer::cli
