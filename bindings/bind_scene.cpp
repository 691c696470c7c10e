#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "toccata/query/rigid/scene.hpp"

namespace toccata {
namespace {

World make_world(const std::vector<const Mesh*>& meshes,
                 const std::vector<const Motion*>& motions) {
  std::vector<Motion> copies;
  for (const Motion* motion : motions) copies.push_back(*motion);
  return World(meshes, std::move(copies));
}

nb::tuple first_contact_of(const Scene& scene, const Options& options) {
  SceneContact found;
  {
    const Released released;
    found = scene.first_contact(options);
  }
  return nb::make_tuple(found.contact, found.body_a, found.body_b, found.pairs_tested);
}

}  // namespace

void bind_scene(nb::module_& m) {
  nb::class_<World>(m, "World");
  // A world points to its meshes: the list keeps them alive.
  m.def("make_world", &make_world, "meshes"_a, "motions"_a, nb::keep_alive<0, 1>());
  nb::class_<Scene>(m, "Scene")
      .def(nb::init<const World&, std::vector<BodyIndices>>(), "world"_a, "ignored"_a,
           nb::keep_alive<1, 2>())
      .def("first_contact", &first_contact_of, "options"_a);
}

}  // namespace toccata
