#include "gossamer/hunt/world/fiber.hpp"

#include <cstdint>
#include <cstring>
#include <cxxabi.h>
#include <memory>
#include <sys/mman.h>
#include <utility>
#include <vector>

#include "gossamer/base/contract.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define GOSSAMER_FIBERS_TELL_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GOSSAMER_FIBERS_TELL_ASAN 1
#endif
#endif
#ifdef GOSSAMER_FIBERS_TELL_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace gossamer {
namespace {

// Pages that nobody touches cost nothing.
constexpr std::size_t kStack = std::size_t{1} << 20;
constexpr std::size_t kGuard = std::size_t{1} << 16;

/// Stacks that wait for the next fiber: a hunt makes tens in each of thousands of runs.
class Stacks {
 public:
  Stacks() = default;
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;

  ~Stacks() {
    for (std::byte* const stack : free_)
      ::munmap(stack - kGuard, kGuard + kStack);
  }

  [[nodiscard]] std::byte* take() {
    if (!free_.empty()) {
      std::byte* const stack = free_.back();
      free_.pop_back();
      return stack;
    }
    void* const memory = ::mmap(nullptr, kGuard + kStack, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    expects(memory != MAP_FAILED, "memory for the stack of a fiber");
    // One that grows too far meets this.
    ::mprotect(memory, kGuard, PROT_NONE);
    return static_cast<std::byte*>(memory) + kGuard;
  }

  void give_back(std::byte* stack) {
#ifdef GOSSAMER_FIBERS_TELL_ASAN
    __asan_unpoison_memory_region(stack, kStack);
#endif
    free_.push_back(stack);
  }

 private:
  std::vector<std::byte*> free_;
};

Stacks& stacks() {
  thread_local Stacks all;
  return all;
}

}  // namespace

Fiber::Fiber(std::function<void()> main) : main_(std::move(main)), stack_(stacks().take()) {
  ::getcontext(&own_);
  own_.uc_stack.ss_sp = stack_;
  own_.uc_stack.ss_size = kStack;
  own_.uc_link = nullptr;
  // makecontext() hands on numbers of 32 bits.
  const auto self = reinterpret_cast<std::uintptr_t>(this);
  ::makecontext(&own_, reinterpret_cast<void (*)()>(&Fiber::enter), 2,
                static_cast<unsigned int>(std::uint64_t{self} >> 32),
                static_cast<unsigned int>(self));
}

Fiber::~Fiber() {
  stacks().give_back(stack_);
}

void Fiber::enter(unsigned int high, unsigned int low) {
  reinterpret_cast<Fiber*>(
      static_cast<std::uintptr_t>((std::uint64_t{high} << 32) | std::uint64_t{low}))
      ->run();
}

void Fiber::run() {
#ifdef GOSSAMER_FIBERS_TELL_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &owner_stack_, &owner_stack_size_);
#endif
  main_();
#ifdef GOSSAMER_FIBERS_TELL_ASAN
  // Nothing: this stack is not used again.
  __sanitizer_start_switch_fiber(nullptr, owner_stack_, owner_stack_size_);
#endif
  change(own_, owner_, own_handled_);
}

void Fiber::resume() {
#ifdef GOSSAMER_FIBERS_TELL_ASAN
  __sanitizer_start_switch_fiber(&owner_fake_stack_, stack_, kStack);
#endif
  change(owner_, own_, owner_handled_);
#ifdef GOSSAMER_FIBERS_TELL_ASAN
  __sanitizer_finish_switch_fiber(owner_fake_stack_, nullptr, nullptr);
#endif
}

void Fiber::yield() {
#ifdef GOSSAMER_FIBERS_TELL_ASAN
  __sanitizer_start_switch_fiber(&own_fake_stack_, owner_stack_, owner_stack_size_);
#endif
  change(own_, owner_, own_handled_);
#ifdef GOSSAMER_FIBERS_TELL_ASAN
  __sanitizer_finish_switch_fiber(own_fake_stack_, &owner_stack_, &owner_stack_size_);
#endif
}

void Fiber::change(ucontext_t& from, ucontext_t& to, Handled& leaving) {
  // One that waits in the midst of a catch goes on there, whatever others have caught meanwhile.
  void* const of_thread = abi::__cxa_get_globals();
  Handled& entering = &leaving == &own_handled_ ? owner_handled_ : own_handled_;
  std::memcpy(&leaving, of_thread, sizeof(Handled));
  std::memcpy(of_thread, &entering, sizeof(Handled));
  ::swapcontext(&from, &to);
}

}  // namespace gossamer
