#include "gossamer/events/event_json.hpp"

#include <cmath>
#include <concepts>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gossamer/events/event_fields.hpp"
#include "gossamer/events/measurement_json.hpp"

namespace gossamer {
namespace {

using Json = nlohmann::ordered_json;

class Writer {
 public:
  explicit Writer(Json& json) : json_(json) {}

  template <typename Value>
  void operator()(const char* name, const Value& value) {
    json_[name] = json_of(value);
  }

  template <typename Value>
  void operator()(const char* name, const std::optional<Value>& value) {
    if (value) json_[name] = json_of(*value);
  }

 private:
  template <typename Value>
  static Json json_of(const Value& value) {
    return value;
  }

  static Json json_of(Duration duration) { return seconds(duration); }

  static Json json_of(Time time) { return seconds(time.time_since_epoch()); }

  static Json json_of(Phase phase) { return name_of(phase); }

  static Json json_of(const Measurement& measurement) { return Json::parse(to_json(measurement)); }

  static Json json_of(SlowPeer::Cause cause) { return name_of(cause); }

  template <typename Item>
  static Json json_of(const std::vector<Item>& items) {
    Json list = Json::array();
    for (const Item& item : items) {
      Writer each(list.emplace_back(Json::object()));
      fields(item, each);
    }
    return list;
  }

  Json& json_;
};

/// Reads fields one after the other. The first mistake is remembered, and nothing is read after it.
class Reader {
 public:
  explicit Reader(const Json& json) : json_(json) {
    if (!json.is_object()) refuse("it is no object");
  }

  template <typename Value>
  void operator()(const char* name, Value& value) {
    const Json* const found = find(name);
    if (found == nullptr) return refuse(fmt::format("it has no '{}'", name));
    read(name, *found, value);
  }

  /// Absent: left as it is.
  template <typename Value>
  void operator()(const char* name, std::optional<Value>& value) {
    const Json* const found = find(name);
    if (found != nullptr) read(name, *found, value.emplace());
  }

  [[nodiscard]] const std::optional<std::string>& mistake() const { return mistake_; }

 private:
  [[nodiscard]] const Json* find(const char* name) const {
    if (mistake_) return nullptr;
    const auto found = json_.find(name);
    return found == json_.end() ? nullptr : &*found;
  }

  void refuse(std::string sentence) {
    if (!mistake_) mistake_ = std::move(sentence);
  }

  template <std::unsigned_integral Whole>
  void read(const char* name, const Json& json, Whole& value) {
    const bool is_whole = json.is_number_unsigned();
    if (!is_whole || json.get<std::uint64_t>() > std::numeric_limits<Whole>::max())
      return refuse(fmt::format("its '{}' is no whole number that fits", name));
    value = json.get<Whole>();
  }

  void read(const char* name, const Json& json, double& value) {
    if (!json.is_number() && !json.is_null())
      return refuse(fmt::format("its '{}' is no number", name));
    value = json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
  }

  void read(const char* name, const Json& json, Duration& value) {
    // What a count of nanoseconds has room for, in seconds.
    constexpr double kMost = 9.2e9;
    if (!json.is_number() || std::abs(json.get<double>()) > kMost)
      return refuse(fmt::format("its '{}' is no time", name));
    value = from_seconds(json.get<double>());
  }

  void read(const char* name, const Json& json, Time& value) {
    Duration since{};
    read(name, json, since);
    value = Time(since);
  }

  void read(const char* name, const Json& json, std::string& value) {
    if (!json.is_string()) return refuse(fmt::format("its '{}' is no text", name));
    value = json.get<std::string>();
  }

  void read(const char* name, const Json& json, Phase& value) {
    for (std::size_t i = 0; i < kPhaseCount; ++i) {
      value = static_cast<Phase>(i);
      if (json == name_of(value)) return;
    }
    refuse(fmt::format("its '{}' is nothing that a node does", name));
  }

  void read(const char* name, const Json& json, SlowPeer::Cause& value) {
    for (const auto cause : {SlowPeer::Cause::kLink, SlowPeer::Cause::kComputation}) {
      value = cause;
      if (json == name_of(cause)) return;
    }
    refuse(fmt::format("its '{}' slows nobody down", name));
  }

  template <typename Item>
  void read(const char* name, const Json& json, std::vector<Item>& items) {
    if (!json.is_array()) return refuse(fmt::format("its '{}' are no list", name));
    for (const Json& each : json) {
      Reader reader(each);
      fields(items.emplace_back(), reader);
      if (reader.mistake()) return refuse(fmt::format("of its '{}', {}", name, *reader.mistake()));
    }
  }

  void read(const char* name, const Json& json, Measurement& measurement) {
    Reader figures(json);
    figures.read_figures(measurement);
    if (figures.mistake()) refuse(fmt::format("of its '{}', {}", name, *figures.mistake()));
  }

  void read_figures(Measurement& measurement) {
    Reader& field = *this;
    field("round", measurement.round);
    field("error", measurement.error);
    field("mean_drift", measurement.mean_drift);
    field("epoch", measurement.epoch);
    measurement.is_own = find("own_objective") != nullptr || find("own_test_loss") != nullptr;
    field(measurement.is_own ? "own_objective" : "objective", measurement.objective);
    field(measurement.is_own ? "own_suboptimality" : "suboptimality", measurement.suboptimality);
    field("train_loss", measurement.train_loss);
    if (find("own_test_loss") != nullptr) {
      Tested& tested = measurement.tested.emplace();
      field("own_test_loss", tested.mean_model.loss);
      field("own_test_accuracy", tested.mean_model.accuracy);
    }
    if (find("test_loss") != nullptr) {
      Tested& tested = measurement.tested.emplace();
      field("test_loss", tested.mean_model.loss);
      field("test_accuracy_mean_model", tested.mean_model.accuracy);
      field("test_accuracy_nodes_mean", tested.accuracy_nodes_mean);
      field("test_accuracy_nodes_worst", tested.accuracy_nodes_worst);
    }
    field("consensus_distance", measurement.consensus_distance);
    field("bytes_sent_per_node", measurement.bytes_sent_per_node);
    field("payload_bytes_per_node", measurement.payload_bytes_per_node);
    field("seconds", measurement.seconds);
    for (const Phase phase :
         {Phase::kCompute, Phase::kEncode, Phase::kWait, Phase::kDecode, Phase::kMix}) {
      field(fmt::format("seconds_{}", name_of(phase)).c_str(),
            measurement.spent.by_phase[static_cast<std::size_t>(phase)]);
    }
    if (find("edges_lost") == nullptr) return;
    field("edges_lost", measurement.edges.lost);
    field("edges_back", measurement.edges.back);
    field("copies_repaired", measurement.edges.repaired);
  }

  const Json& json_;
  std::optional<std::string> mistake_;
};

// Nothing of the kind that has this name, or no kind at all.
template <std::size_t I = 0>
std::optional<What> nothing_of(std::string_view name) {
  if constexpr (I < kEventKindCount) {
    if (name == name_of(static_cast<EventKind>(I))) return What(std::in_place_index<I>);
    return nothing_of<I + 1>(name);
  }
  return std::nullopt;
}

void read_head(Reader& field, Event& event) {
  field("node", event.node);
  field("round", event.round);
  field("seconds", event.time);
}

}  // namespace

std::string to_json(const Event& event) {
  Json json{{"event", name_of(event.kind())}};
  Writer field(json);
  field("node", event.node);
  field("round", event.round);
  field("seconds", event.time);
  std::visit([&](const auto& happening) { fields(happening, field); }, event.what);
  // What others sent need not be UTF-8.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<Event> parse_event(std::string_view line) {
  const Json json = Json::parse(line, nullptr, false);
  if (json.is_discarded()) return Error{"this is no event: it is no JSON"};
  Reader field(json);
  std::string kind;
  field("event", kind);
  Event event;
  read_head(field, event);
  if (field.mistake()) return Error{fmt::format("this is no event: {}", *field.mistake())};
  std::optional<What> what = nothing_of(kind);
  if (!what) return Error{fmt::format("there are no events of the kind '{}'", kind)};
  event.what = std::move(*what);
  std::visit([&](auto& happening) { fields(happening, field); }, event.what);
  if (field.mistake()) return Error{fmt::format("this is no {} event: {}", kind, *field.mistake())};
  return event;
}

}  // namespace gossamer
