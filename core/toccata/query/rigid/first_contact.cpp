#include "toccata/query/rigid/first_contact.hpp"

#include <algorithm>
#include <array>

#include "toccata/base/interruption.hpp"
#include "toccata/base/stopwatch.hpp"
#include "toccata/query/rigid/methods.hpp"
#include "toccata/query/unique_points.hpp"
#include "toccata/walk/expand.hpp"
#include "toccata/walk/inside.hpp"
#include "toccata/walk/leaf.hpp"
#include "toccata/walk/moment.hpp"
#include "toccata/walk/one_pair.hpp"
#include "toccata/walk/pair_view.hpp"
#include "toccata/walk/scaled.hpp"

namespace toccata {
namespace {

Contact run(const MovingPair& pair, Coherence* memory) {
  if (pair.is_unclear()) return undecided_at_start();
  // The interval method solves equations of vertices, edges and faces, which surfaces do not have.
  const bool curved = pair.mesh_a().surface() || pair.mesh_b().surface();
  if (curved && pair.options().method == Method::interval) return walk_pair(pair, 0);
  switch (pair.options().method) {
    case Method::hca:
      return hca(pair, 0);
    case Method::c2a:
      return c2a(pair, 0);
    case Method::interval:
      return interval(pair, 0, memory);
    case Method::automatic:
      break;
  }
  return walk_pair(pair, 0);
}

/// Lists all pairs of elements that touch at one time.
struct TouchingPairs {
  const MovingPair& pair;
  PairView view;
  std::vector<Contact>& found;
  Count steps = 0;

  MomentBounds look(const Expansion<VolumeKind::box>& expansion) {
    return {expansion.bounds(view.relative(expansion.family().of_a)).gap, Pack{}};
  }
  bool keeps(const MomentTask& task) const {
    return !(task.gap > pair.separation() + pair.tolerance());
  }
  bool wants(const MomentTask&) const { return true; }
  bool spend() {
    interruption_point(++steps);
    return true;
  }
  bool visit(const MomentTask&, Index a, Index b) {
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

}  // namespace

Contact first_contact(const Body& a, const Body& b, const Options& options, Coherence* memory) {
  Stopwatch watch(options.timed);
  if (const int exponent = scaling_of(std::array{a, b})) [[unlikely]]
    return scaled_back(
        first_contact(ScaledBody(a, exponent), ScaledBody(b, exponent), scaled(options, exponent)),
        options, exponent);
  const MovingPair pair(a, b, options);
  const double setup = watch.lap();
  Contact contact = run(pair, memory);
  contact.stats.seconds_setup = setup;
  contact.stats.seconds_walk = watch.lap() - contact.stats.seconds_elementary;
  look_inside(contact, pair);
  contact.stats.seconds_inside = watch.lap();
  return contact;
}

void look_inside(Contact& contact, const MovingPair& pair) {
  classify_start(contact);
  if (contact.status != Status::initial_overlap && starts_inside(pair, contact.safe_until))
    contact = inside_at_start(contact.stats);
  contact.tolerance = pair.stated_tolerance();
}

std::vector<Contact> contacts_at(const Body& a, const Body& b, const Options& options,
                                 double time) {
  if (const int exponent = scaling_of(std::array{a, b})) [[unlikely]] {
    std::vector<Contact> found = contacts_at(ScaledBody(a, exponent), ScaledBody(b, exponent),
                                             scaled(options, exponent), time);
    for (Contact& contact : found) contact = scaled_back(contact, options, exponent);
    return found;
  }
  const MovingPair pair(a, b, options);
  std::vector<Contact> found;
  TouchingPairs policy{pair, PairView(pair, time), found};
  policy.view.move_to(time);
  walk_moment(pair, policy);
  std::sort(found.begin(), found.end(), [](const Contact& s, const Contact& t) {
    return std::pair(s.element_a, s.element_b) < std::pair(t.element_a, t.element_b);
  });
  keep_unique_points(found, 4 * pair.error());
  return found;
}

}  // namespace toccata
