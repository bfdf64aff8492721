// Stands in for `gossamer train` when tests start peers: it does what the word behind --node I
// says.
//
//   arguments    prints each of its arguments on a line, and a line on standard error
//   pieces       prints many lines, each in pieces
//   says A B ..  prints each word as a line, with the node's number for each NODE in it
//   ends A B ..  says that it begins, and ends with the exit code that stands at its node's place;
//                'kill': by SIGKILL
//   fails A B .. the same without a beginning, with an error; 'wait': waits for a signal
//   signals N    prints "ready", then the name of each signal that comes, and ends with the Nth
//   report F     prints "ready", and writes the name of the signal that ends it to descriptor F

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace {

using Words = std::vector<std::string>;

void write_to(int descriptor, std::string_view text) {
  if (::write(descriptor, text.data(), text.size()) < 0) std::exit(99);
}

// Blocked before "ready" is printed: a signal that comes early waits.
sigset_t block_signals() {
  sigset_t waited;
  sigemptyset(&waited);
  sigaddset(&waited, SIGINT);
  sigaddset(&waited, SIGTERM);
  sigprocmask(SIG_BLOCK, &waited, nullptr);
  return waited;
}

std::string next_signal(const sigset_t& waited) {
  int signal = 0;
  sigwait(&waited, &signal);
  return signal == SIGINT ? "INT\n" : "TERM\n";
}

int print_pieces(const std::string& node) {
  for (int i = 0; i < 300; ++i) {
    write_to(STDOUT_FILENO, "a line");
    write_to(STDOUT_FILENO, " of node " + node);
    write_to(STDOUT_FILENO, i % 2 == 0 ? ", whole\na" : ", whole\n");
    if (i % 2 == 0) write_to(STDOUT_FILENO, " second line of node " + node + "\n");
  }
  write_to(STDOUT_FILENO, "the end of node " + node);
  return 0;
}

int say(const Words& lines, const std::string& node) {
  constexpr std::string_view kNode = "NODE";
  for (std::string line : lines) {
    for (std::size_t at = line.find(kNode); at != std::string::npos; at = line.find(kNode))
      line.replace(at, kNode.size(), node);
    write_to(STDOUT_FILENO, line + "\n");
  }
  return 0;
}

// As launch has asked for it.
void say_begun(const Words& words, const std::string& node) {
  const bool is_table = std::ranges::count(words, "--launched") > 0;
  write_to(STDOUT_FILENO, is_table ? R"({"event":"began","node":)" + node +
                                         R"(,"round":0,"seconds":0,"nodes":3,"rounds":10,"from":0,)"
                                         R"("unix_time":0})"
                                         "\n"
                                   : R"({"launched":"began"})"
                                     "\n");
}

int end_as(const std::string& end) {
  if (end == "kill") std::raise(SIGKILL);
  return std::stoi(end);
}

int run(const Words& words) {
  const auto option = std::ranges::find(words, "--node");
  if (words.end() - option < 3) return 98;
  const std::string& node = option[1];
  const std::string& task = option[2];
  const Words rest(option + 3, words.end());
  if (task == "arguments") {
    for (const std::string& word : words)
      write_to(STDOUT_FILENO, "<" + word + ">\n");
    write_to(STDERR_FILENO, "an error of node " + node + "\n");
    return 0;
  }
  if (task == "pieces") return print_pieces(node);
  if (task == "says") return say(rest, node);
  if (task == "ends") {
    say_begun(words, node);
    return end_as(rest.at(std::stoul(node)));
  }
  if (task == "fails" && rest.at(std::stoul(node)) != "wait") {
    write_to(STDERR_FILENO, "gossamer: node " + node + " has no key\n");
    return end_as(rest.at(std::stoul(node)));
  }
  const sigset_t waited = block_signals();
  if (task == "fails") {
    write_to(STDERR_FILENO, "12:00:00 waiting for others\n");
    return next_signal(waited) == "TERM\n" ? 130 : 97;
  }
  write_to(STDOUT_FILENO, "ready\n");
  if (task == "report") {
    write_to(std::stoi(rest.at(0)), next_signal(waited));
    return 0;
  }
  for (int left = std::stoi(rest.at(0)); left > 0; --left)
    write_to(STDOUT_FILENO, next_signal(waited));
  return 130;
}

}  // namespace

int main(int argc, char** argv) {
  return run(Words(argv + 1, argv + argc));
}
