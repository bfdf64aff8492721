#pragma once

#include <cstddef>
#include <functional>
#include <ucontext.h>

namespace gossamer {

/// A function with a stack of its own, on the thread of whoever resumes it: a change from one to
/// the other takes no help of the system's scheduler. Belongs to one thread.
class Fiber {
 public:
  /// `main` throws nothing, and begins with the first resume().
  explicit Fiber(std::function<void()> main);
  /// It has ended, or has never begun.
  ~Fiber();

  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// By its owner: until main() yields or ends.
  void resume();

  /// By main(): until it is resumed.
  void yield();

 private:
  /// Exceptions that are being handled: the language counts them by thread.
  struct Handled {
    void* caught = nullptr;
    unsigned int uncaught = 0;
  };

  static void enter(unsigned int high, unsigned int low);
  void run();
  void change(ucontext_t& from, ucontext_t& to, Handled& leaving);

  std::function<void()> main_;
  std::byte* stack_;
  ucontext_t own_{};
  ucontext_t owner_{};
  Handled own_handled_;
  Handled owner_handled_;

  // What AddressSanitizer has to know of stacks.
  void* own_fake_stack_ = nullptr;
  void* owner_fake_stack_ = nullptr;
  const void* owner_stack_ = nullptr;
  std::size_t owner_stack_size_ = 0;
};

}  // namespace gossamer
