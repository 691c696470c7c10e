#include "arrays.hpp"
#include "bindings.hpp"
#include "toccata/bvh/closed_surfaces.hpp"

namespace toccata {

void bind_mesh(nb::module_& m) {
  nb::class_<Mesh>(m, "Mesh")
      .def(
          "__init__",
          [](Mesh* self, const Points& vertices, const Faces& faces, const Labels& solids,
             bool where_closed) {
            const Released released;
            std::vector<Index> numbers(solids.data(), solids.data() + solids.shape(0));
            if (where_closed && numbers.size() == faces.shape(0))
              keep_closed_parts(view(vertices), view(faces), numbers);
            new (self) Mesh(view(vertices), view(faces), std::span<const Index>(numbers));
          },
          "vertices"_a.noconvert(), "faces"_a.noconvert(), "solids"_a.noconvert(),
          "where_closed"_a = false)
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
