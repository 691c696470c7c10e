// Conversion of small arrays from Python. nb::ndarray takes half a microsecond per array. These
// functions take less than a tenth of this time and leave rare types to Python.
#pragma once

#include <nanobind/nanobind.h>

#include <cstring>
#include <initializer_list>
#include <span>

namespace toccata {

/// Returns whether a buffer holds doubles in native byte order, aligned or not.
inline bool means_doubles(const char* format) {
  if (!format) return false;  // bytes
  if (*format == '@' || *format == '=' || *format == '^') ++format;
  return std::strcmp(format, "d") == 0;
}

/// A shape of one or two dimensions.
using Shape = std::initializer_list<std::size_t>;

inline bool has_shape(const Py_buffer& view, Shape shape) {
  if (view.ndim != static_cast<int>(shape.size())) return false;
  const Py_ssize_t* size = view.shape;
  for (const std::size_t wanted : shape)
    if (static_cast<std::size_t>(*size++) != wanted) return false;
  return true;
}

/// Copies an array of doubles of this shape, row by row; returns false for any other object.
inline bool copy_doubles(nanobind::handle array, Shape shape, std::span<double> place) {
  if (!PyObject_CheckBuffer(array.ptr())) return false;
  Py_buffer view;
  if (PyObject_GetBuffer(array.ptr(), &view, PyBUF_STRIDES | PyBUF_FORMAT) != 0) {
    PyErr_Clear();
    return false;
  }
  const bool fits = has_shape(view, shape) && means_doubles(view.format);
  const std::size_t width = *(shape.end() - 1);
  const Py_ssize_t column = fits ? view.strides[view.ndim - 1] : 0;
  const Py_ssize_t row = fits ? view.strides[0] : 0;
  for (std::size_t i = 0; fits && i < place.size(); ++i) {
    const char* from = static_cast<const char*>(view.buf) +
                       static_cast<Py_ssize_t>(i % width) * column +
                       static_cast<Py_ssize_t>(shape.size() > 1 ? i / width : 0) * row;
    std::memcpy(&place[i], from, sizeof(double));  // may be unaligned
  }
  PyBuffer_Release(&view);
  return fits;
}

/// Copies the numbers of a tuple or a list; returns false for any other object.
inline bool copy_items(nanobind::handle items, std::span<double> place) {
  PyObject* object = items.ptr();
  const bool is_tuple = PyTuple_Check(object), is_list = !is_tuple && PyList_Check(object);
  if (!is_tuple && !is_list) return false;
  const auto size = static_cast<Py_ssize_t>(place.size());
  if ((is_tuple ? PyTuple_Size(object) : PyList_Size(object)) != size) return false;
  for (Py_ssize_t i = 0; i < size; ++i) {
    PyObject* item = is_tuple ? PyTuple_GetItem(object, i) : PyList_GetItem(object, i);
    if (!PyFloat_Check(item) && !PyLong_Check(item)) return false;
    place[static_cast<std::size_t>(i)] = PyFloat_AsDouble(item);
    if (PyErr_Occurred()) {  // an integer larger than all doubles
      PyErr_Clear();
      return false;
    }
  }
  return true;
}

/// Copies a row of numbers from an array of doubles, a tuple or a list; returns false for any other
/// object.
inline bool copy_row(nanobind::handle values, std::span<double> place) {
  return copy_items(values, place) || copy_doubles(values, {place.size()}, place);
}

}  // namespace toccata
