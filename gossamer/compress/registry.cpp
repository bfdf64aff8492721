#include "gossamer/compress/registry.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gossamer/base/text/suggest.hpp"
#include "gossamer/compress/factories.hpp"
#include "gossamer/compress/layerwise.hpp"
#include "gossamer/compress/sparse.hpp"

namespace gossamer {
namespace {

using MakeDense = Result<DensePtr> (*)(Options&, std::size_t);
using MakeSelector = Result<SelectorPtr> (*)(Options&, Target);

struct Entry {
  CompressorInfo info;
  MakeDense make_dense = nullptr;
  MakeSelector make_selector = nullptr;
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = {
#define GOSSAMER_DENSE(name, example, summary) \
  {{#name, example, summary, false}, make_##name, nullptr},
#define GOSSAMER_SELECTOR(name, example, summary) \
  {{#name, example, summary, true}, nullptr, make_##name},
#include "gossamer/compress/registry.def"
#undef GOSSAMER_DENSE
#undef GOSSAMER_SELECTOR
  };
  return all;
}

Result<const Entry*> find(std::string_view name) {
  const auto found =
      std::ranges::find(entries(), name, [](const Entry& entry) { return entry.info.name; });
  if (found != entries().end()) return &*found;
  std::vector<std::string> names;
  for (const Entry& entry : entries())
    names.push_back(entry.info.name);
  names.emplace_back("layerwise");
  return Error{unknown_name("compressor", name, names)};
}

Result<DensePtr> make_dense(std::string_view spec, std::size_t size) {
  NamedOptions named = split_spec(spec);
  const Result<const Entry*> entry = find(named.name);
  if (!entry) return entry.error();
  if (entry.value()->make_dense == nullptr) {
    return Error{
        fmt::format("'{}' chooses entries, so it stands before a '+', not behind one", named.name)};
  }
  Result<DensePtr> made = entry.value()->make_dense(named.options, size);
  if (!made) return made;
  if (const Result<void> done = named.options.finish(); !done) return done.error();
  return made;
}

Result<DensePtr> make_operator(std::string_view spec, Target target) {
  if (target.size >= (std::size_t{1} << 32)) {
    return Error{fmt::format(
        "a vector of {} elements is too long to compress: the limit is 2^32 - 1", target.size)};
  }
  const std::size_t plus = spec.find('+');
  const std::string_view first = spec.substr(0, plus);
  NamedOptions named = split_spec(first);
  const Result<const Entry*> entry = find(named.name);
  if (!entry) return entry.error();
  if (entry.value()->make_selector == nullptr) {
    if (plus == std::string_view::npos) return make_dense(spec, target.size);
    return Error{fmt::format("'{}' does not choose entries: only topk and randk stand before a '+'",
                             named.name)};
  }
  Result<SelectorPtr> selector = entry.value()->make_selector(named.options, target);
  if (!selector) return selector.error();
  const std::string_view second =
      plus == std::string_view::npos ? "identity" : spec.substr(plus + 1);
  Result<DensePtr> values = make_dense(second, selector.value()->kept());
  if (!values) return values;
  return make_sparse(std::move(selector).value(), std::move(values).value());
}

}  // namespace

std::span<const CompressorInfo> compressors() {
  static const std::vector<CompressorInfo> all = [] {
    std::vector<CompressorInfo> infos;
    for (const Entry& entry : entries())
      infos.push_back(entry.info);
    return infos;
  }();
  return all;
}

Result<std::unique_ptr<const Compressor>> make_compressor(std::string_view spec,
                                                          const Layout& layout) {
  if (is_layerwise(spec)) return make_layerwise(spec, layout, make_operator);
  return make_operator(spec, Target{.size = layout.size()});
}

}  // namespace gossamer
