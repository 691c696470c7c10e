#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "clearance_columns.hpp"
#include "contact_columns.hpp"
#include "proximity_columns.hpp"
#include "toccata/base/expects.hpp"
#include "toccata/query/clearance/robot_clearance.hpp"
#include "toccata/query/clearance/scene_clearance.hpp"
#include "toccata/query/contact_intervals.hpp"
#include "toccata/query/contacts.hpp"
#include "toccata/query/distances.hpp"
#include "toccata/query/proximities.hpp"
#include "toccata/query/scene.hpp"

namespace toccata {
namespace {

/// Constructs a scene of bodies in the order of their indices.
void make_scene(SharedScene* scene, const std::vector<const Mesh*>& meshes,
                const std::vector<const Motion*>& motions, std::vector<BodyIndices> ignored) {
  std::vector<Motion> copies;
  for (const Motion* motion : motions) copies.push_back(*motion);
  new (scene) SharedScene(Scene(BodySet(meshes, std::move(copies)), std::move(ignored)));
}

/// Returns the present world of the scene. Queries of robots keep it alive while the scene changes.
std::shared_ptr<BodySet> world_of(SharedScene& shared) {
  const std::shared_ptr<const Scene> scene = shared.now();
  return {scene, const_cast<BodySet*>(&scene->world())};  // Python has no function that changes it
}

Separations make_separations(const std::vector<BodyIndices>& pairs,
                             const std::vector<double>& distances, double rest, Index bodies) {
  std::vector<Separations::Entry> entries;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    entries.push_back({std::minmax(pairs[i].first, pairs[i].second), distances[i]});
  return {std::move(entries), rest, bodies};
}

/// Returns a query of a scene. It copies the separations, because the scene keeps the query.
SceneQuery query_of(const Scene& scene, const Options& options, const Separations* separations) {
  if (!separations) return {options};
  expects(separations->bodies() == scene.world().size(), "separation",
          "expected distances for the bodies of this scene");
  return {options, std::make_shared<const Separations>(*separations)};
}

nb::tuple first_contact_of(SharedScene& shared, const Options& options,
                           const Separations* separations, bool every, KnownContacts* known) {
  const std::shared_ptr<const Scene> scene = shared.now();
  SceneContact found;
  std::vector<SceneContact> rows;
  {
    const Released released;
    const SceneQuery query = query_of(*scene, options, separations);
    found = scene->first_contact(query, known);
    if (every && found.contact.status != Status::free && found.contact.status != Status::undecided)
      rows = contacts_at(scene->bodies(query), found.contact.toc);
  }
  nb::list listed;
  for (const SceneContact& row : rows)
    listed.append(nb::make_tuple(row.contact, row.body_a, row.body_b));
  return nb::make_tuple(found.contact, found.body_a, found.body_b, found.pairs_tested, listed);
}

nb::tuple contacts_of(SharedScene& shared, const Options& options, const Separations* separations,
                      unsigned threads) {
  const std::shared_ptr<const Scene> scene = shared.now();
  const auto answer = [&] {
    const Released released;
    return SceneContacts(
        first_contacts(scene->bodies(query_of(*scene, options, separations)), threads));
  };
  SceneContacts found = answer();
  return nb::make_tuple(contact_columns(std::move(found.contacts)), column(found.body_a),
                        column(found.body_b));
}

nb::ndarray<nb::numpy, double> intervals_of(SharedScene& shared, const Options& options,
                                            const Separations* separations, nb::handle resolution) {
  const double gap = checked_resolution(read_number(resolution, "resolution"));
  const std::shared_ptr<const Scene> scene = shared.now();
  const auto answer = [&] {
    const Released released;
    return contact_intervals(scene->bodies(query_of(*scene, options, separations)), gap);
  };
  return interval_rows(answer());
}

nb::tuple clearance_of(SharedScene& shared, const ClearanceOptions& options) {
  const std::shared_ptr<const Scene> scene = shared.now();
  const auto answer = [&] {
    const Released released;
    return clearance(scene->bodies(), options);
  };
  const SceneClearance found = answer();
  return nb::make_tuple(static_cast<const Clearance&>(found), found.body_a, found.body_b);
}

/// Returns the clearance of each pair that comes nearer than the limit.
nb::tuple clearances_of(SharedScene& shared, const ClearanceOptions& options, unsigned threads) {
  const std::shared_ptr<const Scene> scene = shared.now();
  const auto answer = [&] {
    const Released released;
    return clearances(scene->bodies(), options, threads);
  };
  return clearance_columns(answer());
}

nb::tuple proximities_of(SharedScene& shared, nb::handle distance) {
  const double within = read_distance(distance);
  const std::shared_ptr<const Scene> scene = shared.now();
  return answered([&] { return proximities(scene->bodies(), within); });
}

nb::tuple distances_of(SharedScene& shared, nb::handle limit, unsigned threads) {
  const double most = checked_limit(read_number(limit, "limit"));
  const std::shared_ptr<const Scene> scene = shared.now();
  const auto answer = [&] {
    const Released released;
    return distances(scene->bodies(), most, threads);
  };
  SceneDistances found = answer();
  return nb::make_tuple(distance_columns(std::move(found.distances)), column(found.body_a),
                        column(found.body_b));
}

}  // namespace

void bind_scene(nb::module_& m) {
  nb::class_<KnownContacts>(m, "KnownContacts").def(nb::init<>());
  nb::class_<BodySet>(m, "BodySet").def_prop_ro("moves", &BodySet::moves);
  nb::class_<Separations>(m, "Separations")
      .def(nb::new_(&make_separations), "pairs"_a, "distances"_a, "rest"_a, "bodies"_a)
      .def(
          "pad",
          [](Separations& separations, const std::vector<double>& around) {
            separations.pad(around);
          },
          "around"_a);
  nb::class_<SharedScene>(m, "Scene")
      // A world has pointers to its meshes; the list keeps them alive.
      .def("__init__", &make_scene, "meshes"_a, "motions"_a, "ignored"_a, nb::keep_alive<1, 2>())
      .def("world", &world_of, nb::keep_alive<0, 1>())
      .def(
          "move",
          [](SharedScene& s, Index i, const Motion& to) {
            s.edit([&](Scene& scene) { scene.move(i, to); });
          },
          "body"_a, "motion"_a)
      .def(
          "move_all",
          [](SharedScene& s, const Matrices& start, const Matrices& end, const Points& linear,
             const Points& angular) {
            const MotionRows rows{view(start), view(end), view(linear), view(angular)};
            s.edit([&](Scene& scene) { scene.move(rows); });
          },
          "start"_a.noconvert(), "end"_a.noconvert(), "linear"_a.noconvert(),
          "angular"_a.noconvert())
      .def(
          "ignore",
          [](SharedScene& s, std::vector<BodyIndices> pairs) {
            s.edit([&](Scene& scene) { scene.ignore(pairs); });
          },
          "pairs"_a)
      .def("first_contact", &first_contact_of, "options"_a, "separations"_a.none(), "every"_a,
           "known"_a = nb::none())
      .def("default_tolerance",
           [](SharedScene& s) { return largest_default_tolerance(s.now()->world()); })
      .def("clearance", &clearance_of, "options"_a)
      .def("contact_intervals", &intervals_of, "options"_a, "separations"_a.none(),
           "resolution"_a.none())
      .def("clearances", &clearances_of, "options"_a, "threads"_a)
      .def("proximities", &proximities_of, "distance"_a.none())
      .def("distances", &distances_of, "limit"_a.none(), "threads"_a)
      .def("contacts", &contacts_of, "options"_a, "separations"_a.none(), "threads"_a);
}

}  // namespace toccata
