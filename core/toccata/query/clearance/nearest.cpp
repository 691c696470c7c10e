// Measurement of a robot at one time: pairs are ranked by balls and boxes, and measured in this
// order.
#include "toccata/query/clearance/nearest.hpp"

#include <algorithm>

namespace toccata {

void Nearest::sample(RobotInWorld& setting, const PieceTime& at, const Resolution& resolution,
                     Nearby<PieceCandidate>& best) {
  const auto [piece, time] = at;
  rank(setting, time, resolution.worth(best.upper));
  for (const Ranked& pair : ranked_) {
    if (!(pair.least < resolution.worth(best.upper)) || best.upper <= resolution.tolerance) return;
    RobotPair bodies(setting, pair.candidate);
    // A pair at rest was measured at the start of the path.
    if (bodies.is_at_rest() && (piece > 0 || time > 0)) continue;
    const PieceCandidate who{pair.candidate, piece};
    NamedBodies<RobotPair, PieceCandidate> named{bodies, who};
    measure(named, time, resolution, best);
  }
}

void Nearest::rank(const RobotInWorld& setting, double time, double most) {
  const Robot& robot = setting.robot;
  const std::span<const Link> links = robot.links();
  const auto offer = [&](double least, const Candidate& candidate) {
    if (least < most) ranked_.push_back({least, candidate});
  };
  ranked_.clear();
  centers_.clear();
  for (const Link& link : links)
    centers_.push_back(setting.poses.pose(robot.world_frame(link.joint), time) *
                       link.mesh->center());
  for (std::size_t i = 0; i < links.size(); ++i)
    for (std::size_t j = 0; j < setting.world.size(); ++j) {
      const auto body = static_cast<Index>(j);
      if (!is_tested(setting.ignored, static_cast<Index>(i), body)) continue;
      const Box box = setting.world.box(body, {time, time});
      offer(distance_to(box, centers_[i]) - links[i].mesh->radius(),
            {0, static_cast<Index>(i), body});
    }
  for (std::size_t p = 0; setting.self_contact && p < robot.pairs().size(); ++p) {
    const LinkPair& pair = robot.pairs()[p];
    const double radii = links[pair.a].mesh->radius() + links[pair.b].mesh->radius();
    offer(norm(centers_[pair.a] - centers_[pair.b]) - radii,
          {0, pair.a, pair.b, static_cast<Index>(p)});
  }
  std::stable_sort(ranked_.begin(), ranked_.end(),
                   [](const Ranked& s, const Ranked& t) { return s.least < t.least; });
}

}  // namespace toccata
