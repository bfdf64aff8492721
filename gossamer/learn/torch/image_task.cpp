#include "gossamer/learn/torch/image_task.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gossamer/learn/images/image_batch.hpp"
#include "gossamer/learn/images/open_images.hpp"
#include "gossamer/learn/models.hpp"
#include "gossamer/learn/partition.hpp"
#include "gossamer/learn/sampler.hpp"
#include "gossamer/learn/torch/first_weights.hpp"
#include "gossamer/learn/torch/image_models.hpp"
#include "gossamer/learn/torch/script_model.hpp"
#include "gossamer/learn/torch/torch_error.hpp"

namespace gossamer {
namespace {

/// What all nodes of a task read and none writes.
struct ImageProblem {
  ImageData data;
  Normalization normalization;
  Augmentation augmentation;
  Partition shards;
  Sampling sampling = Sampling::kEpochs;
  std::size_t batch = 1;
  ModelFactory factory;
  LossKind loss = LossKind::kCrossEntropy;
  Layout layout;
  Layout statistics;
  /// The network draws random numbers when it is called, as dropout does.
  bool is_random = false;
};

std::string text_of(const ImageShape& shape) {
  return fmt::format("{}x{}x{}", shape.channels, shape.height, shape.width);
}

/// Pictures as the network takes them: floats with the channels last, where convolutions are
/// fastest. One buffer for all batches.
class Pictures {
 public:
  Pictures(const ImageShape& shape, std::size_t most)
      : shape_(shape), pixels_(most * shape.size()), labels_(most), picks_(most) {}

  [[nodiscard]] std::span<std::uint32_t> picks(std::size_t count) {
    return std::span(picks_).first(count);
  }

  void load(const ImageSet& set, std::size_t count, const ImageProblem& problem,
            const Augmentation& augmentation, const RngKey& key) {
    count_ = count;
    fill_batch(set, picks(count), problem.normalization, augmentation, key,
               std::span(pixels_).first(count * shape_.size()), std::span(labels_).first(count));
  }

  [[nodiscard]] torch::Tensor input() {
    const auto n = static_cast<std::int64_t>(count_);
    const auto c = static_cast<std::int64_t>(shape_.channels);
    const auto h = static_cast<std::int64_t>(shape_.height);
    const auto w = static_cast<std::int64_t>(shape_.width);
    return torch::from_blob(pixels_.data(), {n, c, h, w}, {h * w * c, 1, w * c, c});
  }

  [[nodiscard]] torch::Tensor labels() {
    return torch::from_blob(labels_.data(), {static_cast<std::int64_t>(count_)}, torch::kInt64);
  }

 private:
  ImageShape shape_;
  std::vector<float> pixels_;
  std::vector<std::int64_t> labels_;
  std::vector<std::uint32_t> picks_;
  std::size_t count_ = 0;
};

torch::Tensor loss_of(LossKind kind, const torch::Tensor& output, const torch::Tensor& labels) {
  return kind == LossKind::kCrossEntropy ? torch::cross_entropy_loss(output, labels)
                                         : torch::nll_loss(output, labels);
}

class ImageObjective final : public Objective {
 public:
  ImageObjective(const ImageProblem& problem, NodeId id)
      : problem_(problem),
        model_(make_alone(problem.factory)),
        parameters_(model_->parameters()),
        norms_(model_->statistics()),
        statistics_(norms_.layout().size()),
        sampler_(problem.sampling, problem.shards, id, problem.batch),
        pictures_(problem.data.train.shape, std::max(problem.batch, kTestBatch)) {
    norms_.copy_to(statistics_.view());
    model_->set_training(true);
  }

  [[nodiscard]] const Layout& layout() const override { return problem_.layout; }

  void initialize(const RngKey& key, Vec x) const override {
    const std::unique_ptr<DeepModel> first = make_from_key(key, problem_.factory);
    FlatTensors(first->parameters()).copy_to(x);
  }

  double gradient(CVec x, const RngKey& batch, Vec g) override {
    const std::span<std::uint32_t> picks = pictures_.picks(problem_.batch);
    for (std::size_t i = 0; i < picks.size(); ++i)
      picks[i] = sampler_.draw(batch, i);
    pictures_.load(problem_.data.train, picks.size(), problem_, problem_.augmentation,
                   augmentation_key(batch));
    parameters_.put_at(x);
    parameters_.gather_gradients_in(g);
    norms_.put_at(statistics_.view());
    const torch::Tensor loss = loss_of(problem_.loss, forward(batch), pictures_.labels());
    loss.backward();
    return loss.item<double>();
  }

  [[nodiscard]] CVec statistics() const override { return statistics_.view(); }

  [[nodiscard]] std::optional<Evaluation> evaluate(CVec x, CVec statistics) override {
    const torch::NoGradGuard no_gradients;
    parameters_.put_at(x);
    norms_.put_at(statistics);
    model_->set_training(false);
    const ImageSet& test = problem_.data.test;
    double loss = 0.0;
    std::int64_t right = 0;
    for (std::size_t begin = 0; begin < test.size(); begin += kTestBatch) {
      const std::size_t count = std::min(kTestBatch, test.size() - begin);
      const std::span<std::uint32_t> picks = pictures_.picks(count);
      std::iota(picks.begin(), picks.end(), static_cast<std::uint32_t>(begin));
      pictures_.load(test, count, problem_, Augmentation{}, RngKey{});
      const torch::Tensor output = forward(RngKey{});
      loss += loss_of(problem_.loss, output, pictures_.labels()).item<double>() *
              static_cast<double>(count);
      right += output.argmax(1).eq(pictures_.labels()).sum().item<std::int64_t>();
    }
    model_->set_training(true);
    const auto size = static_cast<double>(test.size());
    return Evaluation{loss / size, static_cast<double>(right) / size};
  }

  void visit_state(StateVisitor& visitor) override {
    if (statistics_.size() > 0) visitor.visit("statistics", statistics_.view());
  }

 private:
  // Large enough to keep a core busy, small enough to stay in its cache.
  static constexpr std::size_t kTestBatch = 250;

  // A network that draws random numbers takes them from the generator that all threads share: there
  // is no way to give it another.
  torch::Tensor forward(const RngKey& key) {
    if (!problem_.is_random) return model_->forward(pictures_.input());
    return make_from_key(key, [&] { return model_->forward(pictures_.input()); });
  }

  // Which samples are drawn and how they are changed must not hang together.
  static RngKey augmentation_key(RngKey batch) {
    batch.purpose = Purpose::kAugment;
    return batch;
  }

  const ImageProblem& problem_;
  std::unique_ptr<DeepModel> model_;
  FlatTensors parameters_;
  FlatTensors norms_;
  FloatBuffer statistics_;
  Sampler sampler_;
  Pictures pictures_;
};

class ImageTask final : public Task {
 public:
  explicit ImageTask(ImageProblem problem) : problem_(std::move(problem)) {}

  [[nodiscard]] const Layout& layout() const override { return problem_.layout; }

  [[nodiscard]] Layout statistics_layout() const override { return problem_.statistics; }

  [[nodiscard]] std::unique_ptr<Objective> objective_of(NodeId id) const override {
    return std::make_unique<ImageObjective>(problem_, id);
  }

  [[nodiscard]] std::optional<double> loss(CVec /*x*/) const override { return std::nullopt; }

  [[nodiscard]] std::optional<double> optimum() const override { return std::nullopt; }

  [[nodiscard]] std::optional<double> rounds_per_epoch() const override {
    return epoch_rounds(problem_.shards, problem_.batch);
  }

 private:
  ImageProblem problem_;
};

Result<void> add_script(const TaskSetup& setup, ImageProblem& problem) {
  Result<ScriptModel> model = read_script_model(setup.model);
  if (!model) return model.error();
  problem.factory = std::move(model.value().factory);
  problem.loss = model.value().loss.value_or(LossKind::kCrossEntropy);
  if (!setup.loss.empty()) {
    const Result<LossKind> loss = parse_loss(setup.loss);
    if (!loss) return loss.error();
    problem.loss = loss.value();
  }
  std::optional<ImageShape> shape = model.value().input_shape;
  if (!setup.input_shape.empty()) {
    const Result<ImageShape> given = parse_input_shape(setup.input_shape);
    if (!given) return given.error();
    shape = given.value();
  }
  if (shape && *shape != problem.data.train.shape) {
    return Error{fmt::format("{} takes pictures of {}, and those of {} are {}", setup.model,
                             text_of(*shape), setup.data, text_of(problem.data.train.shape))};
  }
  return {};
}

Result<void> add_model(const TaskSetup& setup, ImageProblem& problem) {
  if (is_script_file(setup.model)) return add_script(setup, problem);
  if (!setup.loss.empty() || !setup.input_shape.empty()) {
    return Error{fmt::format("loss and input-shape are for TorchScript files; '{}' has its own",
                             setup.model)};
  }
  Result<ModelFactory> factory =
      make_image_model(setup.model, {problem.data.train.shape, problem.data.train.classes});
  if (!factory) return factory.error();
  problem.factory = std::move(factory).value();
  return {};
}

torch::Tensor state_of_shared_generator() {
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  const std::lock_guard lock(generator.mutex());
  return generator.get_state();
}

// A first pass: what does not fit is said now, not in the middle of a run. Two pictures are as good
// as many, and one is not: batch norm of a single number has no variance.
Result<void> try_model(const TaskSetup& setup, ImageProblem& problem) {
  const ImageSet& train = problem.data.train;
  const std::size_t count = std::min<std::size_t>(problem.batch, 2);
  try {
    const std::unique_ptr<DeepModel> network = make_alone(problem.factory);
    problem.layout = FlatTensors(network->parameters()).layout();
    problem.statistics = FlatTensors(network->statistics()).layout();
    Pictures pictures(train.shape, count);
    pictures.picks(count).back() = static_cast<std::uint32_t>(train.size() - 1);
    pictures.load(train, count, problem, Augmentation{}, RngKey{});
    network->set_training(true);
    const torch::Tensor before = state_of_shared_generator();
    const torch::Tensor output = network->forward(pictures.input());
    problem.is_random = !state_of_shared_generator().equal(before);
    const auto classes = static_cast<std::int64_t>(train.classes);
    if (output.dim() != 2 || output.size(0) != static_cast<std::int64_t>(count) ||
        output.size(1) < classes) {
      return Error{
          fmt::format("{} must give a row of at least {} scores for each picture of {}, "
                      "and gives {} numbers for {}",
                      setup.model, classes, setup.data, output.numel(), count)};
    }
    loss_of(problem.loss, output, pictures.labels()).backward();
  } catch (const std::exception& error) {
    return Error{fmt::format("{} does not take pictures of {} in batches of {}: {}", setup.model,
                             text_of(train.shape), problem.batch, first_line_of(error))};
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<Task>> make_image_task(const TaskSetup& setup) {
  ImageProblem problem;
  const Result<Augmentation> augmentation = parse_augmentation(setup.augment);
  if (!augmentation) return augmentation.error();
  problem.augmentation = augmentation.value();
  problem.sampling = setup.sampling;
  problem.batch = setup.batch.value();
  Result<ImageData> data = open_images(setup.data);
  if (!data) return data.error();
  problem.data = std::move(data).value();
  if (const Result<void> fits = check_batch(setup.batch, problem.data.train.size()); !fits)
    return fits.error();
  problem.normalization = normalization_of(problem.data.train);

  const std::vector<double> labels(problem.data.train.labels.begin(),
                                   problem.data.train.labels.end());
  Result<Partition> shards = make_partition(setup.partition, labels, setup.nodes, setup.seed);
  if (!shards) return shards.error();
  problem.shards = std::move(shards).value();
  if (const Result<void> added = add_model(setup, problem); !added) return added.error();
  if (const Result<void> works = try_model(setup, problem); !works) return works.error();
  return std::unique_ptr<Task>(std::make_unique<ImageTask>(std::move(problem)));
}

}  // namespace gossamer
