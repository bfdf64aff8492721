#include "apps/commands/comparison.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "apps/command.hpp"
#include "apps/commands/report.hpp"
#include "apps/commands/training_run.hpp"
#include "apps/console/human.hpp"
#include "apps/processes/many_processes.hpp"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gossamer/experiment/dense_traffic.hpp"
#include "gossamer/settings/method_spec.hpp"

namespace gossamer::cli {
namespace {

std::string folder_name(const std::string& method) {
  std::string name;
  for (const char letter : method) {
    const bool plain = std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '.';
    name += plain ? letter : '-';
  }
  return name;
}

struct ComparedRow {
  MethodSpec method;
  std::unique_ptr<TrainingRun> run;
  int exit_code = 0;
};

/// One column of the closing table.
struct Column {
  std::string title;
  std::string (*text)(const ComparedRow& row, const Measurement& last);
};

std::vector<Column> columns_for(const Measurement& any) {
  std::vector<Column> columns;
  if (any.tested && any.tested->mean_model.accuracy) {
    columns.push_back({"accuracy", [](const ComparedRow&, const Measurement& last) {
                         return human_percent(*last.tested->mean_model.accuracy);
                       }});
  }
  if (any.tested && any.tested->accuracy_nodes_mean) {
    columns.push_back({"of nodes", [](const ComparedRow&, const Measurement& last) {
                         return human_percent(*last.tested->accuracy_nodes_mean);
                       }});
    columns.push_back({"worst", [](const ComparedRow&, const Measurement& last) {
                         return human_percent(*last.tested->accuracy_nodes_worst);
                       }});
  }
  if (any.tested && !any.tested->mean_model.accuracy) {
    columns.push_back({"perplexity", [](const ComparedRow&, const Measurement& last) {
                         return fmt::format("{:.2f}", std::exp(last.tested->mean_model.loss));
                       }});
  }
  if (any.suboptimality) {
    columns.push_back({"suboptimality", [](const ComparedRow&, const Measurement& last) {
                         return fmt::format("{:.3e}", *last.suboptimality);
                       }});
  } else if (any.train_loss) {
    columns.push_back({"train loss", [](const ComparedRow&, const Measurement& last) {
                         return fmt::format("{:.4f}", *last.train_loss);
                       }});
  }
  if (any.consensus_distance) {
    columns.push_back({"distance", [](const ComparedRow&, const Measurement& last) {
                         return fmt::format("{:.1e}", *last.consensus_distance);
                       }});
  }
  columns.push_back({"sent/node", [](const ComparedRow&, const Measurement& last) {
                       return human_bytes(last.bytes_sent_per_node);
                     }});
  columns.push_back({"less by", [](const ComparedRow& row, const Measurement& last) {
                       const double dense = dense_bytes_per_node(row.run->experiment(), last.round);
                       return fmt::format("{:.1f}x", dense / last.bytes_sent_per_node);
                     }});
  columns.push_back({"seconds", [](const ComparedRow&, const Measurement& last) {
                       return fmt::format("{:.1f}", last.seconds);
                     }});
  return columns;
}

void print_table(const std::vector<ComparedRow>& rows) {
  std::size_t widest = 6;
  for (const ComparedRow& row : rows)
    widest = std::max(widest, row.method.text().size());
  const auto first = std::ranges::find_if(
      rows, [](const ComparedRow& row) { return row.run->outcome().last.has_value(); });
  if (first == rows.end()) return;
  const std::vector<Column> columns = columns_for(*first->run->outcome().last);
  std::string header = fmt::format("{:<{}}", "method", widest);
  for (const Column& column : columns)
    header += fmt::format("{:>14}", column.title);
  fmt::print("\n{}\n", header);
  for (const ComparedRow& row : rows) {
    std::string line = fmt::format("{:<{}}", row.method.text(), widest);
    const RunOutcome& outcome = row.run->outcome();
    if (outcome.failure) {
      line += fmt::format("  {} after {} rounds", name_of(outcome.failure->kind),
                          outcome.failure->round);
    } else if (outcome.last) {
      for (const Column& column : columns)
        line += fmt::format("{:>14}", column.text(row, *outcome.last));
    }
    fmt::print("{}\n", line);
  }
}

void print_json(const std::vector<ComparedRow>& rows) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const ComparedRow& row : rows) {
    nlohmann::ordered_json entry{{"method", row.method.text()}};
    entry.update(nlohmann::ordered_json::parse(
        summary_json(row.run->experiment(), row.run->outcome()))["summary"]);
    all.push_back(std::move(entry));
  }
  fmt::print("{}\n", nlohmann::ordered_json{{"comparison", all}}.dump());
}

}  // namespace

int compare(const RunArguments& arguments, Processes& processes) {
  std::vector<MethodSpec> methods;
  check_together(processes, processes.together([&]() -> Result<void> {
    if (!arguments.resume.empty()) return Error{"--compare begins new runs: leave out --resume"};
    if (!arguments.trace.empty()) return Error{"--trace is for one run: leave out --compare"};
    Result<std::vector<MethodSpec>> parsed = parse_methods(arguments.compare);
    if (!parsed) return parsed.error();
    methods = std::move(parsed).value();
    return {};
  }));

  std::vector<RunArguments> each(methods.size(), arguments);
  std::vector<ComparedRow> rows;
  std::vector<std::string> folders;
  for (std::size_t k = 0; k < methods.size(); ++k) {
    if (!arguments.run_dir.empty()) {
      each[k].run_dir = arguments.run_dir + "/" + folder_name(methods[k].text());
      folders.push_back(each[k].run_dir);
    }
    ComparedRow row{methods[k], std::make_unique<TrainingRun>(each[k], processes)};
    row.run->config().algorithm = methods[k].algorithm;
    row.run->config().compressor = methods[k].compressor;
    row.run->config().gamma = methods[k].gamma;
    if (methods[k].local_steps > 1) row.run->config().local_steps = methods[k].local_steps;
    if (k > 0 && processes.is_first() && !arguments.json) fmt::print("\n");
    row.exit_code = row.run->run();
    rows.push_back(std::move(row));
    if (rows.back().exit_code == kStopped) break;
  }
  const int worst = std::ranges::max_element(rows, {}, &ComparedRow::exit_code)->exit_code;
  if (!processes.is_first()) return worst;
  if (arguments.json) {
    print_json(rows);
  } else {
    print_table(rows);
  }
  if (!folders.empty()) {
    const std::string path = arguments.run_dir + "/report.html";
    folders.resize(rows.size());
    write_report(folders, path);
    if (!arguments.json) fmt::print("\nreport of all: {}\n", path);
  }
  return worst;
}

}  // namespace gossamer::cli
