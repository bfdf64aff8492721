#include "apps/console/bottom_line.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

#include "apps/console/print_text.hpp"
#include <fmt/format.h>

namespace gossamer::cli {
namespace {

constexpr std::chrono::milliseconds kBetweenDrawings{100};
constexpr std::size_t kWidestBar = 20;
// Of a terminal that does not know how wide it is.
constexpr std::size_t kUsualWidth = 80;

std::string bar_of(double share, std::size_t width, bool has_colour) {
  const auto full =
      static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(width));
  const std::string done(full, '#');
  const std::string left(width - full, '.');
  return has_colour ? fmt::format("[\033[32m{}\033[0m{}]", done, left)
                    : fmt::format("[{}{}]", done, left);
}

}  // namespace

std::size_t terminal_width(int descriptor) {
  if (::isatty(descriptor) == 0) return 0;
  winsize size{};
  const bool is_known = ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? size.ws_col : kUsualWidth;
}

BottomLine::BottomLine(Show show)
    : is_shown_(show == Show::kIfTerminal && ::isatty(STDERR_FILENO) != 0),
      has_colour_(std::getenv("NO_COLOR") == nullptr) {}

BottomLine::~BottomLine() {
  take_away();
}

bool BottomLine::is_due() const {
  return is_shown_ && (!is_drawn_ || Clock::now() - drawn_ >= kBetweenDrawings);
}

void BottomLine::draw(double share, const std::vector<std::string>& words) {
  if (!is_shown_) return;
  drawn_ = Clock::now();
  is_drawn_ = true;
  // A line that is too long goes on below, where nothing takes it away. Ctrl-C adds a "^C" to it.
  const std::size_t room = std::max<std::size_t>(terminal_width(STDERR_FILENO), 3) - 3;
  const std::size_t bar = std::min(kWidestBar, room / 3);
  std::string line = bar_of(share, bar, has_colour_);
  std::size_t width = bar + 2;
  for (const std::string& word : words) {
    const std::string space = width == bar + 2 ? " " : "  ";
    width += space.size() + word.size();
    if (width > room) break;
    line += space + word;
  }
  print_text(stderr, "\r\033[K" + line);
}

void BottomLine::take_away() {
  if (!is_drawn_) return;
  print_text(stderr, "\r\033[K");
  is_drawn_ = false;
}

}  // namespace gossamer::cli
