#include <nanobind/stl/array.h>

#include <memory>

#include "arrays.hpp"
#include "bindings.hpp"
#include "toccata/bvh/surface_cells.hpp"
#include "toccata/geometry/bicubic.hpp"
#include "toccata/geometry/custom_surface.hpp"
#include "toccata/geometry/sphere.hpp"
#include "toccata/geometry/torus.hpp"

namespace toccata {
namespace {

using ControlNet = nb::ndarray<const double, nb::shape<4, 4, 3>, nb::c_contig, nb::device::cpu>;
using Range = std::array<double, 2>;

template <class S, class... Arguments>
Mesh make(const Arguments&... arguments) {
  return Mesh(std::make_shared<const S>(arguments...));
}

Mesh bicubic_patch(const ControlNet& control) {
  BicubicPatch::Net net;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      const double* p = control.data() + 3 * (4 * i + j);
      net[i][j] = {p[0], p[1], p[2]};
    }
  return make<BicubicPatch>(net);
}

/// A Python function that returns numbers and may be called from any thread. The Python object of
/// the surface keeps the function alive, because a reference in C++ would hide cycles from the
/// garbage collector.
class Callback {
 public:
  explicit Callback(nb::handle function) : function_(function) {}

  template <std::size_t count, class... Numbers>
  std::array<double, count> call(Numbers... numbers) const {
    const nb::gil_scoped_acquire acquire;
    return nb::cast<std::array<double, count>>(function_(numbers...));
  }

  template <std::size_t count>
  std::array<double, count> over(const Vec3i& x) const {
    return call<count>(x.x.lo, x.y.lo, x.z.lo, x.x.hi, x.y.hi, x.z.hi);
  }

 private:
  nb::handle function_;
};

/// Reads three intervals from six numbers: the lower ends, then the upper ends.
Vec3i intervals(const std::array<double, 6>& x) {
  return {{x[0], x[3]}, {x[1], x[4]}, {x[2], x[5]}};
}

Mesh parametric_surface(const nb::callable& enclose, const Range& bend, const Range& u,
                        const Range& v) {
  const auto over = [call = Callback(enclose)](Interval s, Interval t) {
    return intervals(call.call<6>(s.lo, s.hi, t.lo, t.hi));
  };
  return Mesh(std::make_shared<const CustomParametric>(over, Bend{bend[0], bend[1]},
                                                       Interval{u[0], u[1]}, Interval{v[0], v[1]}));
}

Mesh implicit_surface(const nb::callable& value, const nb::object& gradient,
                      const std::array<double, 6>& box) {
  const auto f = [call = Callback(value)](const Vec3i& x) {
    const auto range = call.over<2>(x);
    return Interval{range[0], range[1]};
  };
  CustomImplicit::Gradient slope;
  if (!gradient.is_none())
    slope = [call = Callback(gradient)](const Vec3i& x) { return intervals(call.over<6>(x)); };
  return Mesh(std::make_shared<const CustomImplicit>(
      f, slope, Box{{box[0], box[1], box[2]}, {box[3], box[4], box[5]}}));
}

/// Returns the corners of quadrilaterals close to the surface, (n, 4, 3), one for each of at least
/// `count` cells.
nb::ndarray<nb::numpy, double> surface_quads(const Mesh& mesh, std::size_t count) {
  std::vector<double> corners;
  std::size_t quads = 0;
  for (const SurfaceCell& cell : cut(*mesh.surface(), count)) {
    for (const Vec3d& p : quad(*mesh.surface(), cell))
      corners.insert(corners.end(), {p.x, p.y, p.z});
    ++quads;
  }
  return to_numpy(std::move(corners), {quads, 4, 3});
}

}  // namespace

void bind_surface(nb::module_& m) {
  m.def("sphere", &make<Sphere, double>, "radius"_a);
  m.def("implicit_sphere", &make<ImplicitSphere, double>, "radius"_a);
  m.def("torus", &make<Torus, double, double>, "major"_a, "minor"_a);
  m.def("implicit_torus", &make<ImplicitTorus, double, double>, "major"_a, "minor"_a);
  m.def("bicubic_patch", &bicubic_patch, "control_points"_a.noconvert());
  m.def("parametric_surface", &parametric_surface, "enclose"_a, "bend"_a, "u_range"_a, "v_range"_a);
  m.def("implicit_surface", &implicit_surface, "value"_a, "gradient"_a.none(), "box"_a);
  m.def("surface_quads", &surface_quads, "surface"_a, "count"_a);
}

}  // namespace toccata
