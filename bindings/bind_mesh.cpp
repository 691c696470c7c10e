#include "arrays.hpp"
#include "bindings.hpp"

namespace toccata {

void bind_mesh(nb::module_& m) {
  nb::class_<Mesh>(m, "Mesh")
      .def(
          "__init__",
          [](Mesh* self, const Points& vertices, const Faces& faces, const Labels& solids) {
            const Released released;
            new (self) Mesh(view(vertices), view(faces), {solids.data(), solids.shape(0)});
          },
          "vertices"_a.noconvert(), "faces"_a.noconvert(), "solids"_a.noconvert())
      .def_prop_ro("vertices",
                   [](const Mesh& mesh) {
                     return nb::ndarray<nb::numpy, const double>(
                         mesh.vertices().data(), {mesh.vertices().size(), 3}, nb::find(mesh));
                   })
      .def_prop_ro("faces",
                   [](const Mesh& mesh) {
                     return nb::ndarray<nb::numpy, const Index>(
                         mesh.faces().data(), {mesh.faces().size(), 3}, nb::find(mesh));
                   })
      .def_prop_ro("solid", [](const Mesh& mesh) { return !mesh.solid().empty(); })
      .def_prop_ro("solids",
                   [](const Mesh& mesh) {
                     return nb::ndarray<nb::numpy, const Index>(
                         mesh.solids().data(), {mesh.solids().size()}, nb::find(mesh));
                   })
      .def_prop_ro("radius", &Mesh::radius)
      .def_prop_ro("nbytes", &Mesh::bytes);
}

}  // namespace toccata
