#include "toccata/base/kept_memory.hpp"

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
/// finds the pieces of the mesh it was.
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

struct Piece {
  void* memory;
  std::size_t size;
};

void free_memory(const Piece& piece) {
  ASAN_UNPOISON_MEMORY_REGION(piece.memory, piece.size);
  operator delete(piece.memory, alignment(piece.size));
}

/// The pieces that nobody uses, those of long ago first.
class KeptMemory {
 public:
  /// The last piece of a size, which is likely to be in the cache; none if there is none.
  void* take(std::size_t size) {
    const std::lock_guard lock(mutex);
    const auto is_fit = [size](const Piece& piece) { return piece.size == size; };
    const auto last = std::find_if(std::make_reverse_iterator(end()), pieces_.rend(), is_fit);
    return last == pieces_.rend() ? nullptr : remove(last.base() - 1).memory;
  }

  /// Keeps a piece if there is room; otherwise returns the oldest one, which has to go first.
  Piece keep(const Piece& piece) {
    const std::lock_guard lock(mutex);
    if (count_ == pieces_.size() || kept_ + piece.size > most_kept) return remove(pieces_.begin());
    pieces_[count_++] = piece;
    kept_ += piece.size;
    return {nullptr, 0};
  }

  std::size_t kept() {
    const std::lock_guard lock(mutex);
    return kept_;
  }

  SpinLock mutex;

 private:
  using Pieces = std::array<Piece, 256>;

  Pieces::iterator end() { return pieces_.begin() + static_cast<std::ptrdiff_t>(count_); }

  Piece remove(Pieces::iterator at) {
    const Piece piece = *at;
    std::move(at + 1, end(), at);
    --count_;
    kept_ -= piece.size;
    return piece;
  }

  Pieces pieces_{};
  std::size_t count_ = 0, kept_ = 0;
};

/// Never destroyed: threads may outlive all else in the process.
KeptMemory& kept = *new KeptMemory;

#if defined(__unix__) || defined(__APPLE__)
/// No fork while another thread is at it, which the new process would wait for.
const int forks_well = pthread_atfork([] { kept.mutex.lock(); }, [] { kept.mutex.unlock(); },
                                      [] { kept.mutex.unlock(); });
#endif

}  // namespace

void* take_memory(std::size_t size) {
  void* memory = kept.take(rounded(size));
  if (!memory) memory = new_memory(rounded(size));
  ASAN_UNPOISON_MEMORY_REGION(memory, size);
  return memory;
}

void give_back_memory(void* memory, std::size_t size) noexcept {
  const Piece piece{memory, rounded(size)};
  if (piece.size > most_kept) return free_memory(piece);
  ASAN_POISON_MEMORY_REGION(piece.memory, piece.size);
  for (;;) {
    const Piece old = kept.keep(piece);
    if (!old.memory) return;
    free_memory(old);
  }
}

std::size_t kept_memory() { return kept.kept(); }

}  // namespace toccata
