// The ordered loop: whatever is prepared ahead, its outcome is that of a plain loop.
#include "toccata/base/ordered_for.hpp"

#include <array>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "check.hpp"

using namespace toccata;

namespace {

/// Item i reads three cells and writes a mix of them into the first. The fewer cells, the more
/// often a plan does not hold any more.
class Mixing {
 public:
  struct Plan {
    int item;
    std::array<std::uint64_t, 3> read;
  };

  Mixing(int items, int cells) : cells_(cells), put_off_(items), items_(items) {}

  std::optional<int> next() {
    if (next_ == items_) return std::nullopt;
    return next_++;
  }

  /// Every third item is put off when it is prepared first.
  std::optional<Plan> prepare(int item, unsigned) {
    if (item == failing) throw std::runtime_error("failing");
    if (item % 3 == 0 && !put_off_[item].exchange(true)) return std::nullopt;
    return Plan{item, read(item)};
  }

  bool holds(const Plan& plan) {
    const bool same = plan.read == read(plan.item);
    changed += !same;
    return same;
  }

  void commit(Plan&& plan) {
    cell(plan.item, 0) = plan.read[0] * 6364136223846793005u + plan.read[1] + 3 * plan.read[2] +
                         static_cast<std::uint64_t>(plan.item);
    order.push_back(plan.item);
  }

  std::vector<std::uint64_t> values() const { return {cells_.begin(), cells_.end()}; }

  int failing = -1;
  int changed = 0;
  std::vector<int> order;

 private:
  std::atomic<std::uint64_t>& cell(int item, int k) {
    return cells_[static_cast<std::size_t>(item * (7 + k) + 5 * k * k) % cells_.size()];
  }
  std::array<std::uint64_t, 3> read(int item) {
    return {cell(item, 0), cell(item, 1), cell(item, 2)};
  }

  std::vector<std::atomic<std::uint64_t>> cells_;
  std::vector<std::atomic<bool>> put_off_;
  int items_, next_ = 0;
};

void test_outcome_is_that_of_a_plain_loop() {
  for (const int cells : {3, 50, 5000}) {
    Mixing plain(3000, cells);
    ordered_for(plain, 1);
    CHECK(plain.changed == 0);
    for (const unsigned threads : {2u, 3u, 8u}) {
      Mixing loop(3000, cells);
      ordered_for(loop, threads);
      CHECK(loop.values() == plain.values());
      for (int i = 0; i < 3000; ++i) CHECK(loop.order[i] == i);
    }
  }
}

void test_empty() {
  Mixing loop(0, 1);
  ordered_for(loop, 4);
  CHECK(loop.order.empty());
}

void test_exceptions() {
  for (const unsigned threads : {1u, 2u, 4u})
    for (int round = 0; round < 50; ++round) {
      Mixing loop(100, 10);
      loop.failing = 40;
      bool caught = false;
      try {
        ordered_for(loop, threads);
      } catch (const std::runtime_error&) {
        caught = true;
      }
      CHECK(caught && loop.order.size() <= 40);
    }
}

}  // namespace

int main() {
  test_outcome_is_that_of_a_plain_loop();
  test_empty();
  test_exceptions();
}
