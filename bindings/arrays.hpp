// Conversion of NumPy arrays to views and values of the core, and back. Arrays of the right type
// and layout are not copied.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <span>
#include <vector>

#include "toccata/bvh/mesh.hpp"
#include "toccata/math/interval.hpp"
#include "toccata/motion/rows.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace toccata {

using Points = nb::ndarray<const double, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using Faces = nb::ndarray<const Index, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using Labels = nb::ndarray<const Index, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Times = nb::ndarray<const double, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<const double, nb::shape<4, 4>, nb::c_contig, nb::device::cpu>;
using Matrices = nb::ndarray<const double, nb::shape<-1, 4, 4>, nb::c_contig, nb::device::cpu>;
using Vector = nb::ndarray<const double, nb::shape<3>, nb::c_contig, nb::device::cpu>;
using Square = nb::ndarray<const double, nb::shape<3, 3>, nb::c_contig, nb::device::cpu>;
using Squares = nb::ndarray<const double, nb::shape<-1, 3, 3>, nb::c_contig, nb::device::cpu>;
using Rows = nb::ndarray<const double, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
using Quadruples = nb::ndarray<const double, nb::shape<-1, 4, 3>, nb::c_contig, nb::device::cpu>;
using Twists = nb::ndarray<const double, nb::shape<-1, 6>, nb::c_contig, nb::device::cpu>;

/// Views an (n, 3) array as points; the caller keeps the array alive.
inline std::span<const Vec3d> view(const Points& points) {
  return {reinterpret_cast<const Vec3d*>(points.data()), points.shape(0)};
}
inline std::span<const Face> view(const Faces& faces) {
  return {reinterpret_cast<const Face*>(faces.data()), faces.shape(0)};
}
inline std::span<const double> view(const Times& times) { return {times.data(), times.shape(0)}; }
inline std::span<const Matrix4> view(const Matrices& poses) {
  return {reinterpret_cast<const Matrix4*>(poses.data()), poses.shape(0)};
}
inline std::span<const Index> view(const Labels& ids) { return {ids.data(), ids.shape(0)}; }
inline std::span<const std::array<Vec3d, 4>> view(const Quadruples& points) {
  return {reinterpret_cast<const std::array<Vec3d, 4>*>(points.data()), points.shape(0)};
}
inline const Matrix4& view(const Matrix& pose) {
  return *reinterpret_cast<const Matrix4*>(pose.data());
}
inline Vec3d view(const Vector& v) { return {v.data()[0], v.data()[1], v.data()[2]}; }

/// Reads a (3, 3) matrix, row by row.
inline Mat3d read_matrix(const double* p) {
  return {{p[0], p[3], p[6]}, {p[1], p[4], p[7]}, {p[2], p[5], p[8]}};
}
inline Mat3d view(const Square& m) { return read_matrix(m.data()); }

/// Reads (n, 4, 4) matrices, naming the row of one that is not a rigid pose.
inline std::vector<Pose> read_poses(const Matrices& matrices, const char* argument) {
  std::vector<Pose> poses(matrices.shape(0));
  for (std::size_t i = 0; i < poses.size(); ++i)
    poses[i] = read_pose(matrices.data() + 16 * i, argument, static_cast<std::ptrdiff_t>(i));
  return poses;
}

/// Moves a vector into a NumPy array of the given shape.
template <class T, class Memory>
nb::ndarray<nb::numpy, T> to_numpy(std::vector<T, Memory>&& values,
                                   std::initializer_list<std::size_t> shape) {
  using Values = std::vector<T, Memory>;
  auto* owned = new Values(std::move(values));
  const nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<Values*>(p); });
  return nb::ndarray<nb::numpy, T>(owned->data(), shape, owner);
}

inline nb::ndarray<nb::numpy, double> to_numpy(const Vec3d& v) {
  return to_numpy(std::vector<double>{v.x, v.y, v.z}, {3});
}
inline nb::ndarray<nb::numpy, double> to_numpy(const Mat3d& m) {
  return to_numpy(
      std::vector<double>{m.x.x, m.y.x, m.z.x, m.x.y, m.y.y, m.z.y, m.x.z, m.y.z, m.z.z}, {3, 3});
}

inline nb::tuple as_tuple(const Vec3d& v) { return nb::make_tuple(v.x, v.y, v.z); }

/// Returns intervals as an (n, 2) array: start, end.
inline nb::ndarray<nb::numpy, double> interval_rows(const std::vector<Interval>& intervals) {
  std::vector<double> ends;
  for (const Interval& interval : intervals) ends.insert(ends.end(), {interval.lo, interval.hi});
  return to_numpy(std::move(ends), {intervals.size(), 2});
}

}  // namespace toccata
