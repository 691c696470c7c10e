// Orientation of connected parts, breadth first.
#include "toccata/query/deforming/orientation.hpp"

#include <algorithm>
#include <utility>

namespace toccata {
namespace {

class Orientation {
 public:
  explicit Orientation(Features& features) : f_(features), states_(features.faces.size()) {}

  void run() {
    for (Index seed = 0; seed < static_cast<Index>(states_.size()); ++seed)
      if (states_[seed] == State::unvisited) orient_part(seed);
    if (std::find(states_.begin(), states_.end(), State::turned) != states_.end()) turn();
  }

 private:
  enum class State : std::uint8_t { unvisited, kept, turned };

  void orient_part(Index seed) {
    queue_.assign(1, seed);
    states_[seed] = State::kept;
    for (std::size_t i = 0; i < queue_.size(); ++i)
      for (int k = 0; k < 3; ++k) visit_across(queue_[i], k);
  }

  void visit_across(Index face, int k) {
    const Index other = f_.across[face][k];
    if (other == Features::none) return;
    const Index p = f_.faces[face][k], q = f_.faces[face][(k + 1) % 3];
    const auto is_same = [&](int j) {
      const Index begin = f_.faces[other][j], end = f_.faces[other][(j + 1) % 3];
      return (begin == p && end == q) || (begin == q && end == p);
    };
    const int j = is_same(0) ? 0 : is_same(1) ? 1 : 2;
    const bool turns = (f_.faces[other][j] == p) != (states_[face] == State::turned);
    const State wanted = turns ? State::turned : State::kept;
    if (states_[other] == State::unvisited) {
      states_[other] = wanted;
      queue_.push_back(other);
    } else if (states_[other] != wanted) {
      f_.across[face][k] = f_.across[other][j] = Features::none;
    }
  }

  /// Turning a face over exchanges its last two corners, and hence its first and last side.
  void turn() {
    f_.turned = f_.faces;
    for (std::size_t face = 0; face < states_.size(); ++face) {
      if (states_[face] != State::turned) continue;
      std::swap(f_.turned[face][1], f_.turned[face][2]);
      std::swap(f_.across[face][0], f_.across[face][2]);
    }
  }

  Features& f_;
  std::vector<State> states_;
  std::vector<Index> queue_;
};

}  // namespace

void orient(Features& features) { Orientation(features).run(); }

}  // namespace toccata
