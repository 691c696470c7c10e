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
#include <sanitizer/asan_interface.h>  // its words mean nothing unless memory is watched
#else
#define ASAN_POISON_MEMORY_REGION(memory, size)
#define ASAN_UNPOISON_MEMORY_REGION(memory, size)
#endif

namespace toccata {
namespace {

constexpr std::size_t large_page = 1 << 21;

/// Few sizes, at most a quarter larger than what is asked for: so a mesh that has lost some faces
/// finds the blocks of the mesh it was.
std::size_t rounded(std::size_t size) {
  const std::size_t unit = std::bit_floor(size) / 4;
  return (size + unit - 1) / unit * unit;
}

std::align_val_t alignment(std::size_t size) {
  return std::align_val_t{size < large_page ? 128 : large_page};
}

void* new_memory(std::size_t size) {
  void* memory = operator new(size, alignment(size));
#if defined(MADV_HUGEPAGE)
  // A wish only: small pages do as well.
  if (size >= large_page) madvise(memory, size / large_page * large_page, MADV_HUGEPAGE);
#endif
  return memory;
}

struct Block {
  void* memory;
  std::size_t size;
};

void free_memory(const Block& block) {
  ASAN_UNPOISON_MEMORY_REGION(block.memory, block.size);
  operator delete(block.memory, alignment(block.size));
}

/// The blocks that nobody uses, those of long ago first.
class PagePool {
 public:
  /// The last block of a size, which is likely to be in the cache; none if there is none.
  void* take(std::size_t size) {
    const std::lock_guard lock(mutex);
    const auto is_fit = [size](const Block& block) { return block.size == size; };
    const auto last = std::find_if(std::make_reverse_iterator(end()), blocks_.rend(), is_fit);
    return last == blocks_.rend() ? nullptr : remove(last.base() - 1).memory;
  }

  /// Keeps a block if there is room; otherwise returns the oldest one, which has to go first.
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

/// Never destroyed: threads may outlive all else in the process.
PagePool& pages = *new PagePool;

#if defined(__unix__) || defined(__APPLE__)
/// No fork while another thread is at it, which the new process would wait for.
const int pages_fork_well = pthread_atfork([] { pages.mutex.lock(); }, [] { pages.mutex.unlock(); },
                                           [] { pages.mutex.unlock(); });
#endif

}  // namespace

void* take_from_pool(std::size_t size) {
  void* memory = pages.take(rounded(size));
  if (!memory) memory = new_memory(rounded(size));
  ASAN_UNPOISON_MEMORY_REGION(memory, size);
  return memory;
}

void return_to_pool(void* memory, std::size_t size) noexcept {
  const Block block{memory, rounded(size)};
  if (block.size > most_pooled) return free_memory(block);
  ASAN_POISON_MEMORY_REGION(block.memory, block.size);
  for (;;) {
    const Block old = pages.keep(block);
    if (!old.memory) return;
    free_memory(old);
  }
}

std::size_t pooled_bytes() { return pages.kept(); }

}  // namespace toccata
