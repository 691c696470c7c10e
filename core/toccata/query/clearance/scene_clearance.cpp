// The bodies of a scene as a setting of the clearance search: pairs of close boxes are found by a
// sweep along x.
#include "toccata/query/clearance/scene_clearance.hpp"

#include <algorithm>

#include "toccata/base/of_thread.hpp"
#include "toccata/query/first_contact/scene_search.hpp"
#include "toccata/query/setting/scaling.hpp"

namespace toccata {
namespace {

double distance(const Box& a, const Box& b) {
  const auto apart = [](double lo_a, double hi_a, double lo_b, double hi_b) {
    return std::max({lo_a - hi_b, lo_b - hi_a, 0.0});
  };
  return norm(Vec3d{apart(a.lo.x, a.hi.x, b.lo.x, b.hi.x), apart(a.lo.y, a.hi.y, b.lo.y, b.hi.y),
                    apart(a.lo.z, a.hi.z, b.lo.z, b.hi.z)});
}

/// The bodies of a scene as a `ClearanceSetting`.
class SceneSetting {
 public:
  using Who = Candidate;

  SceneSetting(const ManyBodies& bodies, double tolerance)
      : bodies_{bodies.world, bodies.broad, {}}, search_(of_thread<SceneSearch>()) {
    bodies_.query.options.tolerance = tolerance;
  }

  void sample(int intervals, const Resolution& resolution, Nearby<Who>& best) {
    for (int k = 0; k <= intervals; ++k)
      sample_at(static_cast<double>(k) / intervals, resolution, best);
  }
  void descend(const Who& who, const Instant& start, const Resolution& resolution,
               Nearby<Who>& best) {
    ManyBodies::Bodies pair(bodies_, who);
    NamedBodies<ManyBodies::Bodies, Who> named{pair, who};
    Descent(named, resolution, best).run(start);
  }
  const Contact& run(const Options& options) {
    ManyBodies setting{bodies_.world, bodies_.broad, {options}};
    std::vector<Candidate> candidates = setting.find_candidates();
    std::sort(candidates.begin(), candidates.end(), comes_earlier);
    contact_ = search_.run(setting, std::move(candidates));
    return contact_.contact;
  }
  const Contact& resume(double separation) {
    contact_ = search_.resume(separation);
    return contact_.contact;
  }
  Who in_contact() const { return {0, contact_.body_a, contact_.body_b}; }
  Count pairs_tested() const { return contact_.pairs_tested; }

 private:
  struct Ranked {
    double least;  // lower bound of the distance, up to rounding
    BodyIndices bodies;

    Candidate who() const { return {0, bodies.first, bodies.second}; }
    auto operator<=>(const Ranked&) const = default;
  };
  struct Placed {
    Box box;
    Index body;
  };

  /// Measures the nearest pairs at one time.
  void sample_at(double time, const Resolution& resolution, Nearby<Who>& best) {
    place(time);
    // The nearest boxes give a first upper bound, which limits the list of pairs.
    Ranked nearest{best.upper, {-1, -1}};
    for_close_boxes([&] { return nearest.least; }, [&](const Ranked& r) { nearest = r; });
    if (nearest.bodies.first >= 0) measure(nearest.who(), time, resolution, best);
    ranked_.clear();
    const auto worth = [&] { return resolution.worth(best.upper); };
    for_close_boxes(worth, [&](const Ranked& r) { ranked_.push_back(r); });
    const auto last = ranked_.begin() + std::min(ranked_.size(), most_measured);
    std::partial_sort(ranked_.begin(), last, ranked_.end());
    for (auto pair = ranked_.begin(); pair != last; ++pair) {
      if (!(pair->least < worth()) || best.upper <= resolution.tolerance) return;
      measure(pair->who(), time, resolution, best);
    }
  }
  void measure(const Who& who, double time, const Resolution& resolution, Nearby<Who>& best) {
    ManyBodies::Bodies pair(bodies_, who);
    NamedBodies<ManyBodies::Bodies, Who> named{pair, who};
    toccata::measure(named, time, resolution, best);
  }

  /// Sorts the boxes at a time by their lower ends along x.
  void place(double time) {
    time_ = time;
    placed_.clear();
    for (Index i = 0; i < static_cast<Index>(bodies_.world.size()); ++i)
      placed_.push_back({bodies_.world.box(i, {time, time}), i});
    std::sort(placed_.begin(), placed_.end(), [](const Placed& s, const Placed& t) {
      return std::pair(s.box.lo.x, s.body) < std::pair(t.box.lo.x, t.body);
    });
  }

  /// Tells that both bodies are fixed and were measured at time 0.
  bool is_known(const BodyIndices& bodies) const {
    return time_ > 0 && bodies_.world.is_fixed(bodies.first) &&
           bodies_.world.is_fixed(bodies.second);
  }

  /// Visits the pairs whose boxes are nearer to each other than `most()`, except known pairs.
  template <class Most, class Visit>
  void for_close_boxes(const Most& most, const Visit& visit) const {
    for (std::size_t k = 0; k < placed_.size(); ++k)
      for (std::size_t m = k + 1; m < placed_.size(); ++m) {
        if (!(placed_[m].box.lo.x - placed_[k].box.hi.x < most())) break;
        const Ranked pair{distance(placed_[k].box, placed_[m].box),
                          std::minmax(placed_[k].body, placed_[m].body)};
        if (pair.least < most() && !bodies_.broad.ignores(pair.bodies) && !is_known(pair.bodies))
          visit(pair);
      }
  }

  /// Largest number of pairs that are measured at one time. The proof finds closer pairs with fewer
  /// tests.
  static constexpr std::size_t most_measured = 32;

  ManyBodies bodies_;
  SceneSearch& search_;
  SceneContact contact_;
  double time_ = 0;  // time of the boxes
  std::vector<Placed> placed_;
  std::vector<Ranked> ranked_;
};

}  // namespace

SceneClearance clearance(const ManyBodies& scene, const ClearanceQuery& query) {
  if (const int exponent = scaling_for(scene.world.extent())) [[unlikely]] {
    const ScaledBodies copy(scene, exponent);
    SceneClearance found = clearance(copy.setting(), scaled(query, exponent));
    scale_back(found, query, exponent);
    return found;
  }
  ClearanceQuery own = query;
  const double error = scene.world.error();
  if (!(own.tolerance > 0))
    own.tolerance =
        default_tolerance_of_clearance(scene.world.radii().least(), error_of_pair(error, error));
  SceneSetting setting(scene, 0.5 * own.tolerance);
  const ClearanceSearch search(setting, own);
  SceneClearance found{search.answer()};
  if (search.best().who) found.body_a = search.best().who->a, found.body_b = search.best().who->b;
  return found;
}

}  // namespace toccata
