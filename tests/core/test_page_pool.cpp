// The page pool: blocks are found again, by size, within its bound, by any thread and after a fork.
#include "toccata/base/page_pool.hpp"

#include <cstring>
#include <set>
#include <vector>

#include "check.hpp"
#include "toccata/base/parallel_for.hpp"
#include "toccata/base/uninitialized_vector.hpp"

#if defined(__unix__) || defined(__APPLE__)
#include <sys/wait.h>
#include <unistd.h>
#endif

using namespace toccata;

namespace {

void test_a_block_is_found_again() {
  for (const std::size_t size :
       {least_pooled, least_pooled + 1, std::size_t{1} << 21, most_pooled / 2}) {
    void* const memory = take_from_pool(size);
    std::memset(memory, 1, std::min<std::size_t>(size, 1 << 16));
    const std::size_t before = pooled_bytes();
    return_to_pool(memory, size);
    CHECK(pooled_bytes() >= before + size && pooled_bytes() <= before + size + size / 4);
    void* const again = take_from_pool(size);
    CHECK(again == memory && pooled_bytes() == before);
    return_to_pool(again, size);
  }
}

void test_two_users_have_two_blocks() {
  void *const a = take_from_pool(1 << 20), *const b = take_from_pool(1 << 20);
  CHECK(a != b);
  return_to_pool(a, 1 << 20);
  return_to_pool(b, 1 << 20);
  CHECK(take_from_pool(1 << 20) == b);
  CHECK(take_from_pool(1 << 20) == a);
  return_to_pool(a, 1 << 20);
  return_to_pool(b, 1 << 20);
}

void test_not_too_much_is_kept() {
  const std::size_t size = most_pooled / 8;
  std::vector<void*> blocks;
  for (int i = 0; i < 20; ++i) blocks.push_back(take_from_pool(size));
  for (void* block : blocks) {
    return_to_pool(block, size);
    CHECK(pooled_bytes() <= most_pooled);
  }
  CHECK(pooled_bytes() > most_pooled / 2);
  const std::size_t before = pooled_bytes(), huge = 2 * most_pooled;
  return_to_pool(take_from_pool(huge), huge);
  CHECK(pooled_bytes() == before);
  // Many small ones push out the large ones.
  blocks.clear();
  for (int i = 0; i < 1000; ++i) blocks.push_back(take_from_pool(least_pooled));
  CHECK(std::set(blocks.begin(), blocks.end()).size() == 1000);
  for (void* block : blocks) return_to_pool(block, least_pooled);
  CHECK(pooled_bytes() < 2 * 256 * least_pooled);
}

void test_threads_do_not_share_blocks() {
  parallel_for(2000, 1, 4, [](std::size_t i, std::size_t, unsigned) {
    UninitializedVector<std::size_t> some((1 + i % 3) << 13);
    for (std::size_t& x : some) x = i;
    UninitializedVector<std::size_t> others((1 + i % 3) << 13, i + 1);
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
      for (int k = 0; k < 200; ++k) return_to_pool(take_from_pool(1 << 16), 1 << 16);
      return;
    }
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
      return_to_pool(take_from_pool(1 << 16), 1 << 16);
      _exit(0);
    }
    int status = 1;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  });
}
#endif

}  // namespace

int main() {
  test_a_block_is_found_again();
  test_two_users_have_two_blocks();
  test_not_too_much_is_kept();
  test_threads_do_not_share_blocks();
#if defined(__unix__) || defined(__APPLE__)
  test_fork_while_others_take();
#endif
}
