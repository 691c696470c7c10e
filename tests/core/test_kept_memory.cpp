// Memory that is kept: found again, by size, within its bound, by any thread and after a fork.
#include "toccata/base/kept_memory.hpp"

#include <cstring>
#include <set>
#include <vector>

#include "check.hpp"
#include "toccata/base/parallel_for.hpp"
#include "toccata/base/unfilled_vector.hpp"

#if defined(__unix__) || defined(__APPLE__)
#include <sys/wait.h>
#include <unistd.h>
#endif

using namespace toccata;

namespace {

void test_a_piece_is_found_again() {
  for (const std::size_t size : {least_kept, least_kept + 1, std::size_t{1} << 21, most_kept / 2}) {
    void* const memory = take_memory(size);
    std::memset(memory, 1, std::min<std::size_t>(size, 1 << 16));
    const std::size_t before = kept_memory();
    give_back_memory(memory, size);
    CHECK(kept_memory() >= before + size && kept_memory() <= before + size + size / 4);
    void* const again = take_memory(size);
    CHECK(again == memory && kept_memory() == before);
    give_back_memory(again, size);
  }
}

void test_two_users_have_two_pieces() {
  void *const a = take_memory(1 << 20), *const b = take_memory(1 << 20);
  CHECK(a != b);
  give_back_memory(a, 1 << 20);
  give_back_memory(b, 1 << 20);
  CHECK(take_memory(1 << 20) == b);
  CHECK(take_memory(1 << 20) == a);
  give_back_memory(a, 1 << 20);
  give_back_memory(b, 1 << 20);
}

void test_not_too_much_is_kept() {
  const std::size_t size = most_kept / 8;
  std::vector<void*> pieces;
  for (int i = 0; i < 20; ++i) pieces.push_back(take_memory(size));
  for (void* piece : pieces) {
    give_back_memory(piece, size);
    CHECK(kept_memory() <= most_kept);
  }
  CHECK(kept_memory() > most_kept / 2);
  const std::size_t before = kept_memory(), huge = 2 * most_kept;
  give_back_memory(take_memory(huge), huge);
  CHECK(kept_memory() == before);
  // Many small ones push out the large ones.
  pieces.clear();
  for (int i = 0; i < 1000; ++i) pieces.push_back(take_memory(least_kept));
  CHECK(std::set(pieces.begin(), pieces.end()).size() == 1000);
  for (void* piece : pieces) give_back_memory(piece, least_kept);
  CHECK(kept_memory() < 2 * 256 * least_kept);
}

void test_threads_do_not_share_pieces() {
  parallel_for(2000, 1, 4, [](std::size_t i, std::size_t, unsigned) {
    UnfilledVector<std::size_t> some((1 + i % 3) << 13);
    for (std::size_t& x : some) x = i;
    UnfilledVector<std::size_t> others((1 + i % 3) << 13, i + 1);
    for (const std::size_t x : some) CHECK(x == i);
    some.resize(4 * some.size(), i);
    for (const std::size_t x : some) CHECK(x == i);
    for (const std::size_t x : others) CHECK(x == i + 1);
  });
}

#if defined(__unix__) || defined(__APPLE__)
void test_fork_while_others_take() {
  parallel_for(40, 1, 4, [](std::size_t i, std::size_t, unsigned) {
    if (i % 8 != 0) {
      for (int k = 0; k < 200; ++k) give_back_memory(take_memory(1 << 16), 1 << 16);
      return;
    }
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
      give_back_memory(take_memory(1 << 16), 1 << 16);
      _exit(0);
    }
    int status = 1;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  });
}
#endif

}  // namespace

int main() {
  test_a_piece_is_found_again();
  test_two_users_have_two_pieces();
  test_not_too_much_is_kept();
  test_threads_do_not_share_pieces();
#if defined(__unix__) || defined(__APPLE__)
  test_fork_while_others_take();
#endif
}
