#include "tests/layers/page_rules.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>

#include <fmt/format.h>

namespace gossamer::testing {
namespace {

bool is_path_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) ||
         std::string_view("_./*{},-").find(c) != std::string_view::npos;
}

bool is_known(std::string_view path, const std::set<std::string>& known) {
  std::size_t cut = path.find_first_of("*{");
  cut = std::min(cut, path.find("NAME"));
  if (cut != std::string_view::npos) {
    const std::string beginning(path.substr(0, cut));
    const auto found = known.lower_bound(beginning);
    return found != known.end() && found->starts_with(beginning);
  }
  while (path.ends_with('/'))
    path.remove_suffix(1);
  return known.contains(std::string(path));
}

// What a link in the page means, from the root; nothing for links elsewhere.
std::optional<std::string> target_of(std::string_view page, std::string_view link) {
  link = link.substr(0, link.find('#'));
  const bool is_path = std::ranges::all_of(link, is_path_character) &&
                       link.find_first_of("./") != std::string_view::npos;
  if (!is_path) return std::nullopt;
  const std::filesystem::path folder = std::filesystem::path(page).parent_path();
  return (folder / link).lexically_normal().generic_string();
}

// The path that a word in a text means, from the root; nothing if it is another word.
std::optional<std::string> path_in(std::string_view word, const std::set<std::string>& known) {
  static constexpr std::array kRoots = {"apps/",     "bench/",    "cmake/",   "docs/",
                                        "examples/", "gossamer/", "scripts/", "tests/"};
  while (!word.empty() && (word.back() == '.' || word.back() == ','))
    word.remove_suffix(1);
  const auto begins_word = [&](const char* root) { return word.starts_with(root); };
  if (std::ranges::any_of(kRoots, begins_word)) return std::string(word);
  const std::size_t slash = word.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::string in_layer = fmt::format("gossamer/{}", word);
  const bool is_layer = known.contains(in_layer.substr(0, in_layer.find('/', 9)));
  const bool is_file = word.ends_with('/') || word.find('.') != std::string_view::npos;
  if (is_layer && is_file) return in_layer;
  return std::nullopt;
}

class PageReader {
 public:
  PageReader(std::string_view page, const std::set<std::string>& known)
      : page_(page), known_(known) {}

  void read(std::string_view line) {
    ++number_;
    // Targets of links are from the page's folder, and no words.
    for (std::size_t at = line.find("]("); at != std::string_view::npos; at = line.find("](")) {
      read_words(line.substr(0, at));
      line.remove_prefix(at + 2);
      const std::size_t length = std::min(line.find(')'), line.size());
      expect(target_of(page_, line.substr(0, length)));
      line.remove_prefix(length);
    }
    read_words(line);
  }

  [[nodiscard]] std::vector<std::string> missing() && { return std::move(missing_); }

 private:
  void read_words(std::string_view text) {
    for (auto at = text.begin(); at != text.end();) {
      const auto begin = std::find_if(at, text.end(), is_path_character);
      at = std::find_if_not(begin, text.end(), is_path_character);
      expect(path_in({begin, at}, known_));
    }
  }

  void expect(const std::optional<std::string>& path) {
    if (path && !is_known(*path, known_))
      missing_.push_back(fmt::format("{}:{}: there is no {}", page_, number_, *path));
  }

  std::string_view page_;
  const std::set<std::string>& known_;
  std::size_t number_ = 0;
  std::vector<std::string> missing_;
};

// Folders of gossamer/ as the picture shows them, with the number of the group that each stands in.
std::map<std::string, int> groups_in(std::string_view text) {
  std::map<std::string, int> groups;
  std::istringstream lines{std::string(text)};
  std::string line;
  while (std::getline(lines, line) && !line.starts_with("    gossamer/")) {
  }
  int group = 0;
  while (std::getline(lines, line) && (line.empty() || line.starts_with("    "))) {
    if (line.empty()) ++group;
    const std::size_t slash = line.find('/');
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == 6 && slash < line.find(' ', begin)) groups[line.substr(6, slash - 6)] = group;
  }
  return groups;
}

}  // namespace

std::vector<std::string> missing_paths(std::string_view page, std::string_view text,
                                       const std::set<std::string>& known) {
  PageReader reader(page, known);
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);)
    reader.read(line);
  return std::move(reader).missing();
}

std::vector<std::string> picture_violations(std::string_view text,
                                            const std::vector<Layer>& layers) {
  std::vector<std::string> violations;
  std::map<std::string, int> groups = groups_in(text);
  for (const Layer& layer : layers) {
    if (!groups.contains(layer.folder))
      violations.push_back(fmt::format("the picture does not show {}/", layer.folder));
    for (const std::string& below : layer.may_include) {
      if (groups.contains(layer.folder) && groups.contains(below) &&
          groups[layer.folder] >= groups[below])
        violations.push_back(
            fmt::format("{0}/ sees {1}/, and does not stand above it", layer.folder, below));
    }
  }
  for (const auto& [folder, group] : groups) {
    if (std::ranges::find(layers, folder, &Layer::folder) == layers.end())
      violations.push_back(fmt::format("the picture shows {}/, which is no layer", folder));
  }
  return violations;
}

}  // namespace gossamer::testing
