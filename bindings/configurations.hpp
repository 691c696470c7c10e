// Configurations of robots, as callers pass them.
#pragma once

#include <cstring>
#include <optional>

#include "arrays.hpp"
#include "toccata/query/articulated/robot.hpp"

namespace toccata {

using Rows = nb::ndarray<const double, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;

/// Throws `invalid_argument` for a row that is no configuration.
inline void check_rows(const Robot& robot, const Rows& q, const char* argument) {
  for (std::size_t i = 0; i < q.shape(0); ++i)
    robot.check({q.data() + i * q.shape(1), q.shape(1)}, argument);
}

/// Whether the format of a buffer is doubles of this machine, aligned or not.
inline bool means_doubles(const char* format) {
  if (!format) return false;  // bytes
  if (*format == '@' || *format == '=' || *format == '^') ++format;
  return std::strcmp(format, "d") == 0;
}

/// Copies an array of as many doubles; false for anything else. By the buffer protocol, since
/// nb::ndarray takes half a microsecond.
inline bool copy_doubles(nb::handle array, std::span<double> place) {
  if (!PyObject_CheckBuffer(array.ptr())) return false;
  Py_buffer view;
  if (PyObject_GetBuffer(array.ptr(), &view, PyBUF_STRIDES | PyBUF_FORMAT) != 0) {
    PyErr_Clear();
    return false;
  }
  const bool fits = view.ndim == 1 && view.shape[0] == static_cast<Py_ssize_t>(place.size()) &&
                    means_doubles(view.format);
  const char* from = static_cast<const char*>(view.buf);
  for (std::size_t i = 0; fits && i < place.size(); ++i, from += view.strides[0])
    std::memcpy(&place[i], from, sizeof(double));  // it may lie between two doubles
  PyBuffer_Release(&view);
  return fits;
}

/// Both ends of a motion. They are copies, since the caller's arrays may change at any time.
class Ends {
 public:
  /// None if one of them is not an array of doubles of the right length.
  static std::optional<Ends> read(const Robot& robot, nb::handle q_0, nb::handle q_1) {
    const std::size_t width = robot.coordinates();
    Ends ends{std::vector<double>(2 * width)};
    const std::span<double> both(ends.values_);
    if (!copy_doubles(q_0, both.first(width)) || !copy_doubles(q_1, both.last(width)))
      return std::nullopt;
    return ends;
  }

  static Ends copy(const Robot& robot, const double* start, const double* end) {
    Ends ends{std::vector<double>(start, start + robot.coordinates())};
    ends.values_.insert(ends.values_.end(), end, end + robot.coordinates());
    return ends;
  }

  /// Throws `invalid_argument` for numbers that are no configuration.
  void check(const Robot& robot) const {
    robot.check({start(), width()}, "q0");
    robot.check({end(), width()}, "q1");
  }

  const double* start() const { return values_.data(); }
  const double* end() const { return values_.data() + width(); }

  /// (2, dof)
  nb::ndarray<nb::numpy, double> rows() const {
    return to_numpy(std::vector<double>(values_), {2, width()});
  }

 private:
  explicit Ends(std::vector<double> values) : values_(std::move(values)) {}
  std::size_t width() const { return values_.size() / 2; }

  std::vector<double> values_;
};

}  // namespace toccata
