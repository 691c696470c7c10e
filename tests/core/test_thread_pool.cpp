// Loops that share threads: all items once, whoever calls and whatever happened before.
#include "toccata/base/parallel_for.hpp"

#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>

#include "check.hpp"

#if defined(__unix__) || defined(__APPLE__)
#include <sys/wait.h>
#include <unistd.h>
#endif

using namespace toccata;

namespace {

void check_all_items_once(std::size_t count, std::size_t chunk, unsigned threads) {
  std::vector<int> visits(count);
  parallel_for(count, chunk, threads, [&](std::size_t begin, std::size_t end, unsigned worker) {
    CHECK(worker < threads && begin < end && end <= begin + chunk);
    for (std::size_t i = begin; i < end; ++i) ++visits[i];
  });
  for (const int n : visits) CHECK(n == 1);
}

void test_all_items_once() {
  for (const unsigned threads : {1u, 2u, 3u, 8u})
    for (const std::size_t count : {0, 1, 7, 1000})
      for (const std::size_t chunk : {1, 3, 5000}) check_all_items_once(count, chunk, threads);
}

/// Whether another thread comes to help, if it is given time.
bool finds_help() {
  std::atomic<bool> helped{false};
  run_together(2, [&](unsigned worker) {
    if (worker == 1) helped = true;
    for (int i = 0; i < 10000 && !helped; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  return helped;
}

/// Gives threads without work the time to fall asleep.
void let_sleep() { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }

void test_help_from_threads_awake_and_asleep() {
  CHECK(finds_help());
  CHECK(finds_help());
  let_sleep();
  CHECK(finds_help());
}

void test_exceptions() {
  for (int round = 0; round < 100; ++round) {
    bool caught = false;
    try {
      parallel_for(100, 1, 4, [&](std::size_t i, std::size_t, unsigned) {
        if (i == 37) throw std::runtime_error("37");
      });
    } catch (const std::runtime_error&) {
      caught = true;
    }
    CHECK(caught);
    check_all_items_once(100, 1, 4);
  }
}

void test_nested() {
  std::vector<std::atomic<int>> visits(64 * 64);
  parallel_for(64, 1, 3, [&](std::size_t i, std::size_t, unsigned) {
    parallel_for(64, 4, 3, [&](std::size_t begin, std::size_t end, unsigned) {
      for (std::size_t j = begin; j < end; ++j) ++visits[64 * i + j];
    });
  });
  for (const auto& n : visits) CHECK(n == 1);
}

void test_several_callers() {
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i)
    callers.emplace_back([] {
      for (int round = 0; round < 200; ++round) check_all_items_once(50, 1, 3);
    });
  for (auto& caller : callers) caller.join();
}

/// A child has none of its parent's threads, and gets its own; so do its children.
void test_fork(int generations) {
#if defined(__unix__) || defined(__APPLE__)
  // Emulated processors of qemu 7 do not survive threads in a child.
  if (generations == 0 || std::getenv("TOCCATA_EMULATED")) return;
  let_sleep();  // AddressSanitizer does not survive a fork while a thread is being made
  const pid_t child = fork();
  if (child == 0) {
    test_all_items_once();
    CHECK(finds_help());
    test_fork(generations - 1);
    _exit(0);
  }
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  CHECK(finds_help());
#else
  static_cast<void>(generations);
#endif
}

}  // namespace

int main() {
  test_fork(1);  // before there are any threads
  test_all_items_once();
  test_help_from_threads_awake_and_asleep();
  test_exceptions();
  test_nested();
  test_several_callers();
  test_fork(2);
}
