#include "gossamer/reproduce/results_table.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace gossamer {
namespace {

// In a cell of a Markdown table: on one line, and with no end of the cell in it.
std::string in_cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|' || c == '<' || c == '*' || c == '_' || c == '`') escaped += '\\';
    escaped += c == '\n' ? ' ' : c;
  }
  return escaped;
}

// How a section begins, from which it is known again.
std::string heading(std::string_view name) {
  return fmt::format("**`{}`**", name);
}

// Why claims stand as they do, below their table, folded away. Each reason has a number.
class Reasons {
 public:
  // What refers to it: " (2)", or nothing.
  std::string footnote(const std::string& why) {
    if (why.empty()) return "";
    const auto known = std::ranges::find(all_, why);
    const auto number = known - all_.begin() + 1;
    if (known == all_.end()) all_.push_back(why);
    return fmt::format(" ({})", number);
  }

  [[nodiscard]] std::string text() const {
    if (all_.empty()) return "";
    std::string text = "\n<details><summary>Why</summary>\n\n";
    for (std::size_t i = 0; i < all_.size(); ++i)
      text += fmt::format("({}) {}\n\n", i + 1, in_cell(all_[i]));
    return text + "</details>\n";
  }

 private:
  std::vector<std::string> all_;
};

struct Section {
  std::string heading;
  std::string text;
};

// What stands between the markers, cut before each heading; what is before the first one goes.
std::vector<Section> sections_in(std::string_view text) {
  constexpr std::string_view kOpening = "\n**`";
  constexpr std::string_view kClosing = "`**";
  std::vector<Section> sections;
  for (std::size_t begin = text.find(kOpening); begin < text.size();) {
    const std::size_t end = std::min(text.find(kOpening, begin + 1), text.size());
    std::string_view section = text.substr(begin + 1, end - begin - 1);
    while (section.ends_with('\n'))
      section.remove_suffix(1);
    const std::size_t closing = std::min(section.find(kClosing), section.size());
    sections.push_back(
        {std::string(section.substr(0, closing + kClosing.size())), std::string(section) + "\n"});
    begin = end;
  }
  return sections;
}

void put(const Reproduction& reproduction, std::vector<Section>& sections) {
  Section made{heading(reproduction.entry.name), results_section(reproduction)};
  const auto old = std::ranges::find(sections, made.heading, &Section::heading);
  if (old == sections.end()) {
    sections.push_back(std::move(made));
  } else {
    *old = std::move(made);
  }
}

}  // namespace

std::string results_section(const Reproduction& reproduction) {
  const Entry& entry = reproduction.entry;
  std::string text =
      fmt::format("{} {} ({})\n\n| claim | the paper | here | |\n|---|---|---|---|\n",
                  heading(entry.name), in_cell(entry.title), in_cell(entry.paper));
  Reasons reasons;
  for (std::size_t i = 0; i < entry.claims.size(); ++i) {
    const Claim& claim = entry.claims[i];
    text += fmt::format("| {} | {} | {} | {}{} |\n", in_cell(claim.says), in_cell(claim.claimed),
                        in_cell(reproduction.verdicts[i].text), name_of(reproduction.standing(i)),
                        reasons.footnote(claim.why));
  }
  return text + reasons.text();
}

Result<std::string> with_results(std::string_view document,
                                 std::span<const Reproduction> reproductions,
                                 OtherSections others) {
  const std::size_t begin = document.find(kResultsBegin);
  const std::size_t end = document.find(kResultsEnd, std::min(begin, document.size()));
  if (begin == std::string_view::npos || end == std::string_view::npos) {
    return Error{fmt::format("it has no room for results: put '{}' and '{}' on lines of their own",
                             kResultsBegin, kResultsEnd)};
  }
  const std::size_t inside = begin + kResultsBegin.size();
  std::vector<Section> sections;
  if (others == OtherSections::kKeep) sections = sections_in(document.substr(inside, end - inside));
  for (const Reproduction& reproduction : reproductions)
    put(reproduction, sections);
  std::string text(document.substr(0, inside));
  text += "\n";
  for (const Section& section : sections)
    text += "\n" + section.text;
  return text + "\n" + std::string(document.substr(end));
}

}  // namespace gossamer
