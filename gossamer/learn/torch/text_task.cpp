#include "gossamer/learn/torch/text_task.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gossamer/learn/text/corpus.hpp"
#include "gossamer/learn/text/text_streams.hpp"
#include "gossamer/learn/torch/first_weights.hpp"
#include "gossamer/learn/torch/flat_tensors.hpp"
#include "gossamer/learn/torch/lstm.hpp"

namespace gossamer {
namespace {

/// What all nodes of a task read and none writes.
struct TextProblem {
  Corpus corpus;
  LstmSetup model;
  std::size_t streams = 1;
  NodeId nodes = 1;
  Layout layout;

  [[nodiscard]] std::unique_ptr<LstmModel> make_model() const {
    return std::make_unique<LstmModel>(model, static_cast<std::int64_t>(corpus.words.size()));
  }

  /// The text is cut into one piece for each node: what a reader of books would do.
  [[nodiscard]] std::span<const std::uint32_t> piece_of(NodeId id) const {
    const std::size_t length = corpus.train.size() / nodes;
    return std::span(corpus.train).subspan(id * length, length);
  }
};

// Streams in which the test text is read: few, so that a small one is long enough for a window.
constexpr std::size_t kTestStreams = 4;

/// A window of text as the model takes it. One buffer for all windows.
class Window {
 public:
  explicit Window(const TextStreams& streams, std::size_t rows)
      : streams_(streams),
        inputs_(streams.window_size()),
        targets_(streams.window_size()),
        rows_(static_cast<std::int64_t>(rows)) {}

  void load(std::uint64_t number) { streams_.fill(number, inputs_, targets_); }

  [[nodiscard]] const TextStreams& streams() const { return streams_; }

  [[nodiscard]] torch::Tensor input() {
    return torch::from_blob(
        inputs_.data(), {rows_, static_cast<std::int64_t>(inputs_.size()) / rows_}, torch::kInt64);
  }

  [[nodiscard]] torch::Tensor targets() {
    return torch::from_blob(targets_.data(), {static_cast<std::int64_t>(targets_.size())},
                            torch::kInt64);
  }

 private:
  TextStreams streams_;
  std::vector<std::int64_t> inputs_;
  std::vector<std::int64_t> targets_;
  std::int64_t rows_;
};

class TextObjective final : public Objective {
 public:
  TextObjective(const TextProblem& problem, NodeId id)
      : problem_(problem),
        model_(make_alone([&] { return problem.make_model(); })),
        parameters_(parameters_of(*model_)),
        train_(
            TextStreams::make(problem.piece_of(id), problem.streams, problem.model.length).value(),
            problem.streams),
        test_(TextStreams::make(problem.corpus.test, kTestStreams, problem.model.length).value(),
              kTestStreams),
        carried_(size_of(model_->state_shape(static_cast<std::int64_t>(problem.streams)))),
        generator_(at::detail::createCPUGenerator()) {
    model_->train(true);
  }

  [[nodiscard]] const Layout& layout() const override { return problem_.layout; }

  void initialize(const RngKey& key, Vec x) const override {
    const auto first = make_from_key(key, [&] { return problem_.make_model(); });
    FlatTensors(parameters_of(*first)).copy_to(x);
  }

  double gradient(CVec x, const RngKey& batch, Vec g) override {
    train_.load(batch.round);
    if (train_.streams().is_first(batch.round)) carried_.view().setZero();
    // The same words are dropped whoever ran before.
    generator_.set_current_seed(batch.stream());
    parameters_.put_at(x);
    parameters_.gather_gradients_in(g);
    torch::Tensor state = torch::from_blob(
        carried_.data(), model_->state_shape(static_cast<std::int64_t>(problem_.streams)));
    const torch::Tensor scores = model_->forward(train_.input(), state, generator_);
    const torch::Tensor loss = torch::cross_entropy_loss(scores, train_.targets());
    loss.backward();
    return loss.item<double>();
  }

  [[nodiscard]] std::optional<Evaluation> evaluate(CVec x, CVec /*statistics*/) override {
    const torch::NoGradGuard no_gradients;
    parameters_.put_at(x);
    model_->train(false);
    torch::Tensor state = torch::zeros(model_->state_shape(kTestStreams));
    const std::uint64_t windows = test_.streams().windows();
    double loss = 0.0;
    for (std::uint64_t window = 0; window < windows; ++window) {
      test_.load(window);
      const torch::Tensor scores = model_->forward(test_.input(), state, generator_);
      loss += torch::cross_entropy_loss(scores, test_.targets()).item<double>();
    }
    model_->train(true);
    return Evaluation{loss / static_cast<double>(windows), std::nullopt};
  }

  void visit_state(StateVisitor& visitor) override { visitor.visit("carried", carried_.view()); }

 private:
  static std::size_t size_of(const std::vector<std::int64_t>& shape) {
    std::int64_t size = 1;
    for (const std::int64_t side : shape)
      size *= side;
    return static_cast<std::size_t>(size);
  }

  const TextProblem& problem_;
  std::unique_ptr<LstmModel> model_;
  FlatTensors parameters_;
  Window train_;
  Window test_;
  FloatBuffer carried_;
  at::Generator generator_;
};

class TextTask final : public Task {
 public:
  explicit TextTask(TextProblem problem) : problem_(std::move(problem)) {}

  [[nodiscard]] const Layout& layout() const override { return problem_.layout; }

  [[nodiscard]] std::unique_ptr<Objective> objective_of(NodeId id) const override {
    return std::make_unique<TextObjective>(problem_, id);
  }

  [[nodiscard]] std::optional<double> loss(CVec /*x*/) const override { return std::nullopt; }

  [[nodiscard]] std::optional<double> optimum() const override { return std::nullopt; }

  [[nodiscard]] std::optional<double> rounds_per_epoch() const override {
    return static_cast<double>(
        TextStreams::make(problem_.piece_of(0), problem_.streams, problem_.model.length)
            .value()
            .windows());
  }

 private:
  TextProblem problem_;
};

Result<void> refuse_what_pictures_have(const TaskSetup& setup) {
  const TaskSetup defaults;
  if (setup.augment != defaults.augment) return Error{"augment is for pictures, not for text"};
  if (!setup.loss.empty() || !setup.input_shape.empty())
    return Error{"loss and input-shape are for TorchScript files, not for lstm"};
  if (setup.sampling != defaults.sampling)
    return Error{"text is read from beginning to end: leave out sampling"};
  if (setup.partition != defaults.partition && setup.partition != "contiguous") {
    return Error{
        fmt::format("text is cut into contiguous pieces, not by partition '{}'", setup.partition)};
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<Task>> make_text_task(const TaskSetup& setup) {
  if (const Result<void> plain = refuse_what_pictures_have(setup); !plain) return plain.error();
  TextProblem problem;
  const Result<LstmSetup> model = parse_lstm(setup.model);
  if (!model) return model.error();
  problem.model = model.value();
  problem.streams = setup.batch.value();
  problem.nodes = setup.nodes;
  if (setup.data.empty())
    return Error{
        "lstm needs a text: give --data FILE.txt, or a folder with train.txt and test.txt"};
  Result<Corpus> corpus = read_corpus(setup.data, setup.vocabulary);
  if (!corpus) return corpus.error();
  problem.corpus = std::move(corpus).value();

  const auto piece = TextStreams::make(problem.piece_of(0), problem.streams, problem.model.length);
  if (!piece) {
    return Error{fmt::format("{}, for each of {} nodes: {}", setup.data, setup.nodes,
                             piece.error().message)};
  }
  const auto test = TextStreams::make(problem.corpus.test, kTestStreams, problem.model.length);
  if (!test) return Error{fmt::format("{}, test part: {}", setup.data, test.error().message)};
  const auto first = make_alone([&] { return problem.make_model(); });
  problem.layout = FlatTensors(parameters_of(*first)).layout();
  return std::unique_ptr<Task>(std::make_unique<TextTask>(std::move(problem)));
}

}  // namespace gossamer
