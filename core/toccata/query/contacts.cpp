// Lists of contacts for all settings: a traversal at one time, or one first-contact query per pair.
#include "toccata/query/contacts.hpp"

#include <algorithm>
#include <deque>

#include "toccata/base/interruption.hpp"
#include "toccata/base/parallel_for.hpp"
#include "toccata/query/first_contact/first_contact.hpp"
#include "toccata/query/setting/robot_pair.hpp"
#include "toccata/query/setting/scaling.hpp"
#include "toccata/query/setting/start.hpp"
#include "toccata/walk/expand.hpp"
#include "toccata/walk/instant.hpp"
#include "toccata/walk/leaf.hpp"

namespace toccata {
namespace {

/// The policy of a traversal that lists all pairs of elements that touch at one time.
struct TouchingPairs {
  const MovingPair& pair;
  PairView view;
  std::vector<Contact>& found;
  Count steps = 0;

  InstantBounds bound(const Expansion<VolumeKind::box>& expansion) {
    return {expansion.bounds(view.relative(expansion.siblings().of_a)).gap, Pack{}};
  }
  bool keeps(const InstantTask& task) const {
    return !(task.gap > pair.separation() + pair.tolerance());
  }
  bool wants(const InstantTask&) const { return true; }
  bool spend() {
    interruption_point(++steps);
    return true;
  }
  bool visit(const InstantTask&, Index a, Index b) {
    const LeafApproach leaf = approach_leaves(pair, view.state(), a, b);
    if (!leaf.touches) return true;
    Contact& contact = found.emplace_back();
    record(contact, view.time(), a, b, leaf.triangles);
    if (view.time() <= 0) contact.status = Status::initial_overlap;
    if (!(contact.closest.distance > pair.error())) contact.normal = nowhere;
    contact.tolerance = pair.stated_tolerance();
    return true;
  }
};

bool has_same_points(const Contact& s, const Contact& t, double error) {
  return largest(s.closest.point_a - t.closest.point_a) <= error &&
         largest(s.closest.point_b - t.closest.point_b) <= error;
}

/// Returns the height of a contact along a direction in which points of flat contacts rarely
/// coincide.
double height(const Contact& contact) {
  constexpr Vec3d up{0.57, 0.36, 0.73};
  return dot(up, contact.closest.point_a);
}

/// Drops contacts with the same two points as an earlier contact, within `error` along each axis.
/// Triangles that share a vertex or an edge have such contacts.
void keep_unique_points(std::vector<Contact>& contacts, double error) {
  std::vector<std::pair<double, std::size_t>> heights;
  for (std::size_t i = 0; i < contacts.size(); ++i) heights.emplace_back(height(contacts[i]), i);
  std::sort(heights.begin(), heights.end());
  std::vector<bool> drop(contacts.size());
  for (auto s = heights.begin(); s != heights.end(); ++s)
    for (auto t = s + 1; t != heights.end() && t->first <= s->first + 2 * error; ++t)
      if (has_same_points(contacts[s->second], contacts[t->second], error))
        drop[std::max(s->second, t->second)] = true;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (!drop[i]) contacts[kept++] = contacts[i];
  contacts.resize(kept);
}

/// Returns the contacts of two bodies at one time, ordered by triangles.
std::vector<Contact> touching(const MovingPair& pair, double time) {
  std::vector<Contact> found;
  TouchingPairs policy{pair, PairView(pair, time), found};
  policy.view.move_to(time);
  walk_instant(pair, policy);
  std::sort(found.begin(), found.end(), [](const Contact& s, const Contact& t) {
    return std::pair(s.element_a, s.element_b) < std::pair(t.element_a, t.element_b);
  });
  keep_unique_points(found, 4 * pair.error());
  return found;
}

/// Returns the two bodies of a pair as a setting.
template <Setting S>
TwoBodies bodies_of(const S& setting, const Candidate& candidate, const MovingPair& pair) {
  return {{pair.mesh_a(), pair.motion_a()},
          {pair.mesh_b(), pair.motion_b()},
          setting.options_of(candidate)};
}

/// Lists the contacts of all pairs of bodies of a setting at one time.
template <Setting S>
std::vector<typename S::Found> list_contacts(S& setting, double time) {
  std::vector<typename S::Found> rows;
  for (const Candidate& candidate : setting.candidates_at(time)) {
    const typename S::Bodies bodies(setting, candidate);
    const MovingPair& pair = bodies.pair();
    for (const Contact& contact : contacts_at(bodies_of(setting, candidate, pair), time)) {
      rows.emplace_back().contact = contact;
      name_contact(setting, candidate, pair, rows.back());
    }
  }
  return rows;
}

/// Lists the first contacts of candidate pairs of a setting. One thread constructs the pairs and
/// completes the contacts, because they share the poses of the setting.
template <Setting S>
std::vector<typename S::Found> list_first_contacts(S& setting,
                                                   std::span<const Candidate> candidates,
                                                   unsigned threads) {
  std::deque<typename S::Bodies> bodies;
  for (const Candidate& candidate : candidates) bodies.emplace_back(setting, candidate);
  std::vector<typename S::Found> rows(candidates.size());
  parallel_for(rows.size(), 4, threads, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i) {
      TwoBodies two = bodies_of(setting, candidates[i], bodies[i].pair());
      two.options.timed = false;
      rows[i].contact = first_contact(two.a, two.b, two.options);
    }
  });
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].contact.status != Status::free)
      name_contact(setting, candidates[i], bodies[i].pair(), rows[i]);
  std::erase_if(rows, [](const auto& row) { return row.contact.status == Status::free; });
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& s, const auto& t) { return s.contact.toc < t.contact.toc; });
  return rows;
}

}  // namespace

std::vector<Contact> contacts_at(const TwoBodies& bodies, double time) {
  return in_ordinary_lengths(bodies, [&](const TwoBodies& b, int) {
    return touching(MovingPair(b.a, b.b, b.options), time);
  });
}

std::vector<SceneContact> contacts_at(const ManyBodies& scene, double time) {
  return in_ordinary_lengths(scene,
                             [&](ManyBodies bodies, int) { return list_contacts(bodies, time); });
}

std::vector<RobotContact> contacts_at(const Robot& robot, const BodySet& world,
                                      const RobotMotion& motion, const RobotOptions& options,
                                      double time) {
  return in_ordinary_lengths(robot, world, motion, options, [&](RobotInWorld& setting, int) {
    return list_contacts(setting, time);
  });
}

std::vector<SceneContact> first_contacts(const ManyBodies& scene, unsigned threads) {
  // `first_contact` scales each pair separately.
  const std::vector<Candidate> candidates = in_ordinary_lengths(
      scene, [](const ManyBodies& bodies, int) { return bodies.reachable_pairs(); });
  ManyBodies setting = scene;
  return list_first_contacts(setting, candidates, threads);
}

std::vector<RobotContact> first_contacts(const Robot& robot, const BodySet& world,
                                         const RobotMotion& motion, const RobotOptions& options,
                                         unsigned threads) {
  RobotOptions own = options;
  own.options.method = Method::automatic;
  return in_ordinary_lengths(robot, world, motion, own, [&](RobotInWorld& setting, int) {
    return list_first_contacts(setting, setting.reachable_pairs(), threads);
  });
}

}  // namespace toccata
