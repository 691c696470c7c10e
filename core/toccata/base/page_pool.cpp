// Pool of free blocks with few distinct sizes, with huge pages where the system has them.
#include "toccata/base/page_pool.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <mutex>
#include <new>

#include "toccata/base/spin.hpp"

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif
#if defined(__linux__)
#include <sys/mman.h>
#endif
#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(memory, size)
#define ASAN_UNPOISON_MEMORY_REGION(memory, size)
#endif

namespace toccata {
namespace {

constexpr std::size_t large_page = 1 << 21;

/// Rounds a size up by at most a quarter. With few distinct sizes, a mesh that has lost some faces
/// can reuse the blocks of the original mesh.
std::size_t rounded(std::size_t size) {
  const std::size_t unit = std::bit_floor(size) / 4;
  return (size + unit - 1) / unit * unit;
}

std::align_val_t alignment(std::size_t size) {
  return std::align_val_t{size < large_page ? 128 : large_page};
}

void* new_block(std::size_t size) {
  void* data = operator new(size, alignment(size));
#if defined(MADV_HUGEPAGE)
  // This is only a hint: small pages are correct, too.
  if (size >= large_page) madvise(data, size / large_page * large_page, MADV_HUGEPAGE);
#endif
  return data;
}

struct Block {
  void* data;
  std::size_t size;
};

void free_block(const Block& block) {
  ASAN_UNPOISON_MEMORY_REGION(block.data, block.size);
  operator delete(block.data, alignment(block.size));
}

/// The unused blocks, in the order in which they were returned.
class PagePool {
 public:
  /// Returns the block of a size that was returned last, which is likely to be in the cache, or
  /// null.
  void* take(std::size_t size) {
    const std::lock_guard lock(mutex);
    const auto is_fit = [size](const Block& block) { return block.size == size; };
    const auto last = std::find_if(std::make_reverse_iterator(end()), blocks_.rend(), is_fit);
    return last == blocks_.rend() ? nullptr : remove(last.base() - 1).data;
  }

  /// Keeps a block if there is room. Otherwise returns the oldest block, which the caller must free
  /// before it tries again.
  Block keep(const Block& block) {
    const std::lock_guard lock(mutex);
    if (count_ == blocks_.size() || kept_ + block.size > most_pooled)
      return remove(blocks_.begin());
    blocks_[count_++] = block;
    kept_ += block.size;
    return {nullptr, 0};
  }

  std::size_t kept() {
    const std::lock_guard lock(mutex);
    return kept_;
  }

  SpinLock mutex;

 private:
  using Blocks = std::array<Block, 256>;

  Blocks::iterator end() { return blocks_.begin() + static_cast<std::ptrdiff_t>(count_); }

  Block remove(Blocks::iterator at) {
    const Block block = *at;
    std::move(at + 1, end(), at);
    --count_;
    kept_ -= block.size;
    return block;
  }

  Blocks blocks_{};
  std::size_t count_ = 0, kept_ = 0;
};

/// Never destroyed, because threads may outlive all other objects of the process.
PagePool& pages = *new PagePool;

#if defined(__unix__) || defined(__APPLE__)
/// Holds the lock during a fork. A lock held by another thread would stay locked in the new
/// process.
const int pages_fork_well = pthread_atfork([] { pages.mutex.lock(); }, [] { pages.mutex.unlock(); },
                                           [] { pages.mutex.unlock(); });
#endif

}  // namespace

void* take_from_pool(std::size_t size) {
  void* data = pages.take(rounded(size));
  if (!data) data = new_block(rounded(size));
  ASAN_UNPOISON_MEMORY_REGION(data, size);
  return data;
}

void return_to_pool(void* data, std::size_t size) noexcept {
  const Block block{data, rounded(size)};
  if (block.size > most_pooled) return free_block(block);
  ASAN_POISON_MEMORY_REGION(block.data, block.size);
  for (;;) {
    const Block old = pages.keep(block);
    if (!old.data) return;
    free_block(old);
  }
}

std::size_t pooled_bytes() { return pages.kept(); }

}  // namespace toccata
