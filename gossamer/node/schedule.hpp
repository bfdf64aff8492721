#pragma once

#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/result.hpp"

namespace gossamer {

/// The learning rate of every round. A plain value.
class Schedule {
 public:
  struct Constant {
    double lr;
  };

  struct Steps {
    double lr;
    double factor;
    std::vector<Round> at;  // ascending
  };

  struct Cosine {
    double lr;
    double end;  // the last fraction of lr
    Round rounds;
  };

  struct Inverse {
    double a;
    double b;
  };

  using Form = std::variant<Constant, Steps, Cosine, Inverse>;

  Schedule(Form form, Round warmup);

  /// The same bits on every machine.
  [[nodiscard]] double at(Round t) const;

 private:
  Form form_;
  Round warmup_;
};

/// What a learning rate is if nobody says.
inline constexpr double kDefaultLearningRate = 0.1;

/// Makes the schedule that `spec` names, for a run of `rounds` (counted from t = 0):
///
///   constant                     lr
///   step:at=150/225,factor=0.1   lr, times the factor from each listed round on; factor is 0.1 if
///                                none is given
///   cosine:end=0.01              half a cosine wave from lr at t = 0 to end * lr at t = rounds;
///   end
///                                is 0 if none is given
///   inverse:b=200                lr b / (t + b)
///   inverse:a=400,b=200          a / (t + b), without an lr
///
/// With `warmup=N` the first N rounds are multiplied by (t + 1) / N; the form behind it does not
/// shift. An lr that is not given is kDefaultLearningRate.
[[nodiscard]] Result<Schedule> make_schedule(std::string_view spec, std::optional<double> lr,
                                             Round rounds);

}  // namespace gossamer
