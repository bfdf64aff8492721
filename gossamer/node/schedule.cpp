#include "gossamer/node/schedule.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "gossamer/base/portable_math.hpp"
#include "gossamer/base/text/options.hpp"
#include "gossamer/base/text/parse_number.hpp"
#include "gossamer/base/text/suggest.hpp"

namespace gossamer {
namespace {

constexpr double kHuge = 1e12;

double value_at(const Schedule::Constant& form, Round /*t*/) {
  return form.lr;
}

double value_at(const Schedule::Steps& form, Round t) {
  double lr = form.lr;
  for (const Round change : form.at) {
    if (t >= change) lr *= form.factor;
  }
  return lr;
}

double value_at(const Schedule::Cosine& form, Round t) {
  const double done =
      t >= form.rounds ? 1.0 : static_cast<double>(t) / static_cast<double>(form.rounds);
  const double wave = (1 + portable_cosine_of_turns(done / 2)) / 2;
  return form.lr * (form.end + (1 - form.end) * wave);
}

double value_at(const Schedule::Inverse& form, Round t) {
  return form.a / (static_cast<double>(t) + form.b);
}

/// What the forms are made from; each ticks off its own options.
struct Request {
  Options options;
  std::optional<double> lr;
  Round rounds;

  [[nodiscard]] double rate() const { return lr.value_or(kDefaultLearningRate); }
};

Schedule::Form make_constant(Request& request) {
  return Schedule::Constant{request.rate()};
}

std::vector<Round> parse_rounds(std::string_view text, Options& options) {
  std::vector<Round> rounds;
  for (;;) {
    const std::size_t slash = text.find('/');
    const std::string_view item = text.substr(0, slash);
    const auto round = parse_number<Round>(item);
    if (!round) {
      options.refuse(fmt::format(
          "step: at= holds whole numbers of rounds with '/' between them, not '{}'", item));
      return rounds;
    }
    if (!rounds.empty() && *round <= rounds.back()) {
      options.refuse(
          fmt::format("step: the rounds of at= must grow: {} follows {}", *round, rounds.back()));
    }
    rounds.push_back(*round);
    if (slash == std::string_view::npos) return rounds;
    text.remove_prefix(slash + 1);
  }
}

Schedule::Form make_step(Request& request) {
  Schedule::Steps form{request.rate(), 0.1, {}};
  if (const auto at = request.options.text("at")) {
    form.at = parse_rounds(*at, request.options);
  } else {
    request.options.refuse("step needs the rounds at which it changes, as in step:at=150/225");
  }
  if (const auto factor = request.options.number("factor", 0, 1)) form.factor = *factor;
  return form;
}

Schedule::Form make_cosine(Request& request) {
  if (request.rounds == 0)
    request.options.refuse("cosine needs to know how many rounds there will be: there are none");
  const double end = request.options.number("end", 0, 1).value_or(0);
  return Schedule::Cosine{request.rate(), end, request.rounds};
}

Schedule::Form make_inverse(Request& request) {
  const auto a = request.options.number("a", 0, kHuge);
  const auto b = request.options.number("b", 0, kHuge);
  if (!b) request.options.refuse("inverse needs b=, as in inverse:b=200");
  if (b && *b == 0)
    request.options.refuse("inverse: b must be above 0: the first step would be infinite");
  if (a && request.lr) {
    request.options.refuse(
        "inverse: a= is the size of the steps itself, so a learning rate cannot be given beside "
        "it; leave out one of the two");
  }
  return Schedule::Inverse{a ? *a : request.rate() * b.value_or(1), b.value_or(1)};
}

struct Entry {
  std::string_view name;
  Schedule::Form (*make)(Request&);
};

constexpr std::array kEntries = {Entry{"constant", make_constant}, Entry{"step", make_step},
                                 Entry{"cosine", make_cosine}, Entry{"inverse", make_inverse}};

}  // namespace

Schedule::Schedule(Form form, Round warmup) : form_(std::move(form)), warmup_(warmup) {}

double Schedule::at(Round t) const {
  const double value = std::visit([t](const auto& form) { return value_at(form, t); }, form_);
  if (t >= warmup_) return value;
  return value * (static_cast<double>(t + 1) / static_cast<double>(warmup_));
}

Result<Schedule> make_schedule(std::string_view spec, std::optional<double> lr, Round rounds) {
  NamedOptions named = split_spec(spec);
  const auto entry = std::ranges::find(kEntries, named.name, &Entry::name);
  if (entry == kEntries.end()) {
    std::vector<std::string> names;
    for (const Entry& known : kEntries)
      names.emplace_back(known.name);
    return Error{unknown_name("schedule", named.name, names)};
  }
  if (lr && !(std::isfinite(*lr) && *lr >= 0))
    return Error{fmt::format("the learning rate must be a finite number from 0 on, not {}", *lr)};

  Request request{std::move(named.options), lr, rounds};
  Schedule::Form form = entry->make(request);
  const Round warmup =
      request.options.integer("warmup", 0, std::numeric_limits<std::uint32_t>::max()).value_or(0);
  if (const Result<void> finished = request.options.finish(); !finished) return finished.error();
  return Schedule(std::move(form), warmup);
}

}  // namespace gossamer
