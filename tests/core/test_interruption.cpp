// Work that its caller ends early: all threads come back soon, and the next question is answered as
// if nothing had happened.
#include "toccata/base/interruption.hpp"

#include <thread>
#include <vector>

#include "check.hpp"
#include "toccata/base/parallel_for.hpp"

using namespace toccata;

namespace {

std::thread::id asked_on;
int asked = 0;

bool says_no() {
  asked_on = std::this_thread::get_id();
  ++asked;
  return false;
}
bool says_yes() { return says_no(), true; }

/// Whether a loop that would take minutes ends early.
bool ends_early(Interruptible::Wanted wanted, unsigned threads) {
  const Interruptible interruptible(wanted);
  std::atomic<long> steps = 0;
  try {
    parallel_for(64, 1, threads, [&](std::size_t, std::size_t, unsigned) {
      for (Count step = 1; step < 100'000; ++step) {
        std::this_thread::sleep_for(std::chrono::microseconds(20));
        ++steps;
        interruption_point(step);
      }
    });
  } catch (const Interrupted&) {
    return steps < 64L * 100'000;
  }
  return false;
}

void test_all_threads_end() {
  for (const unsigned threads : {1u, 2u, 5u}) {
    CHECK(ends_early(&says_yes, threads));
    CHECK(asked_on == std::this_thread::get_id());
    CHECK(!Interruptible::current());
  }
}

/// The caller has nothing left to do and waits, while another thread has much.
void test_caller_that_waits() {
  const Interruptible interruptible(&says_yes);
  std::atomic<int> started = 0;
  bool caught = false;
  const auto caller = std::this_thread::get_id();
  try {
    parallel_for(2, 1, 2, [&](std::size_t, std::size_t, unsigned) {
      ++started;
      while (started < 2) std::this_thread::yield();
      if (std::this_thread::get_id() == caller) return;
      for (;;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        interruption_point();
      }
    });
  } catch (const Interrupted&) {
    caught = true;
  }
  CHECK(caught);
}

void test_nobody_asks() {
  interruption_point();  // no one to ask
  asked = 0;
  const Interruptible interruptible(&says_no);
  Count budget = 1000;
  while (spend(budget)) std::this_thread::sleep_for(std::chrono::microseconds(400));
  CHECK(budget == -1);
  CHECK(0 < asked && asked < 1000);
}

void test_the_first_decides() {
  const Interruptible outer(&says_no);
  {
    const Interruptible inner(&says_yes);
  }
  CHECK(Interruptible::current() == &outer);
}

}  // namespace

int main() {
  test_all_threads_end();
  test_caller_that_waits();
  test_nobody_asks();
  test_the_first_decides();
}
