#include "gossamer/network/keys/keys.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "apps/command.hpp"
#include <CLI/CLI.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gossamer/network/keys/key_folder.hpp"
#include "gossamer/network/keys/key_inspection.hpp"

namespace gossamer::cli {
namespace {

struct KeysArguments {
  std::string folder;
  NewKeys wanted;
  std::vector<NodeId> nodes;
};

constexpr const char* kWhoNeedsWhat =
    "Each peer needs three files: authority.pem and its own node-*.pem and node-*.key, the latter "
    "with mode 0600.\n"
    "authority.key is needed only to add, renew and revoke nodes: whoever has it can join the "
    "cluster. Keep it off "
    "the peers.\n";

std::string date_of(std::chrono::sys_seconds time) {
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

std::string nodes_from(NodeId first, NodeId count) {
  return count == 1 ? fmt::format("node {}", first)
                    : fmt::format("nodes {} to {}", first, first + count - 1);
}

int run_init(const KeysArguments& arguments) {
  check(make_keys(arguments.folder, arguments.wanted));
  fmt::print("{}: keys of an authority and of {}\n{}", arguments.folder,
             nodes_from(0, arguments.wanted.nodes), kWhoNeedsWhat);
  return kSuccess;
}

int run_add(const KeysArguments& arguments) {
  const NodeId first = value_or_throw(add_keys(arguments.folder, arguments.wanted));
  fmt::print("{}: keys of {}\n", arguments.folder, nodes_from(first, arguments.wanted.nodes));
  return kSuccess;
}

constexpr const char* kWhoNeedsTheList =
    "Copy revoked.pem to all peers, beside their authority.pem: those that run read it within "
    "seconds, and refuse who is on it.\n";

int run_revoke(const KeysArguments& arguments) {
  check(revoke_keys(arguments.folder, arguments.nodes));
  fmt::print("{}: revoked the certificate{} of node {}\n{}", arguments.folder,
             arguments.nodes.size() == 1 ? "" : "s", fmt::join(arguments.nodes, ", "),
             kWhoNeedsTheList);
  return kSuccess;
}

int run_renew(const KeysArguments& arguments) {
  const NodeId node = arguments.nodes.at(0);
  check(renew_keys(arguments.folder, node, arguments.wanted.valid_days));
  fmt::print(
      "{}: new keys of node {}; the old ones are revoked\nGive them to that peer, and start it "
      "again. {}",
      arguments.folder, node, kWhoNeedsTheList);
  return kSuccess;
}

int run_show(const KeysArguments& arguments) {
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  const KeyFolderFacts facts = value_or_throw(inspect_keys(arguments.folder, now));
  fmt::print("{}, valid until {}; {}\n", facts.cluster, date_of(facts.valid_until),
             facts.can_add ? "authority.key is here: nodes can be added"
                           : "authority.key is not here: it is needed only to add nodes");
  if (!facts.nodes.empty())
    fmt::print("{:>6}  {:<11}  {}\n", "node", "valid until", "fingerprint (SHA-256)");
  for (const NodeKeyFacts& node : facts.nodes)
    fmt::print("{:>6}  {:<11}  {}\n", node.node,
               node.is_revoked ? "revoked" : date_of(node.valid_until), node.fingerprint);
  for (const std::string& warning : facts.warnings)
    fmt::print(stderr, "gossamer: warning: {}\n", warning);
  return kSuccess;
}

CLI::App* add_subcommand(CLI::App& keys, Action& action, const char* name, const char* help,
                         const std::shared_ptr<KeysArguments>& arguments,
                         int (*run)(const KeysArguments&)) {
  CLI::App* const command = keys.add_subcommand(name, help);
  command->add_option("DIR", arguments->folder, "Folder of the keys")->required();
  command->callback(
      [arguments, run, &action] { action = [arguments, run] { return run(*arguments); }; });
  return command;
}

void add_days(CLI::App& command, const std::shared_ptr<KeysArguments>& arguments) {
  command
      .add_option("--days", arguments->wanted.valid_days,
                  "How long the certificates are valid, from one day ago on [3650]")
      ->option_text("D");
}

void add_options_of_new_keys(CLI::App& command, const std::shared_ptr<KeysArguments>& arguments) {
  command.add_option("--nodes", arguments->wanted.nodes, "For how many nodes")
      ->required()
      ->option_text("N");
  add_days(command, arguments);
}

}  // namespace

void add_keys_command(CLI::App& program, Action& action) {
  CLI::App* const keys =
      program.add_subcommand("keys", "Makes and shows the keys that peers know each other by");
  keys->require_subcommand(1);
  const auto arguments = std::make_shared<KeysArguments>();
  CLI::App* const init =
      add_subcommand(*keys, action, "init", "A new cluster: an authority, and a key for each node",
                     arguments, run_init);
  add_options_of_new_keys(*init, arguments);
  CLI::App* const add = add_subcommand(
      *keys, action, "add", "Keys of more nodes, signed by the same authority", arguments, run_add);
  add_options_of_new_keys(*add, arguments);
  CLI::App* const revoke = add_subcommand(*keys, action, "revoke",
                                          "Takes back the certificates of nodes: peers refuse them",
                                          arguments, run_revoke);
  revoke->add_option("NODE", arguments->nodes, "Whose")->required();
  CLI::App* const renew = add_subcommand(
      *keys, action, "renew", "New keys of a node; its old ones are revoked", arguments, run_renew);
  renew->add_option("NODE", arguments->nodes, "Whose")->required()->expected(1);
  add_days(*renew, arguments);
  add_subcommand(*keys, action, "show", "Nodes, fingerprints, dates, and what is wrong with them",
                 arguments, run_show);
  keys->footer(std::string(kWhoNeedsWhat) + R"(
Examples:
  gossamer keys init keys --nodes 8
  gossamer keys add keys --nodes 2
  gossamer keys revoke keys 3
  gossamer keys renew keys 3
  gossamer keys show keys)");
}

}  // namespace gossamer::cli
