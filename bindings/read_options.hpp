// Options from Python: types are checked here, values in the core.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <stdexcept>
#include <string>

namespace toccata {

inline std::string rejection(const char* name, const std::string& expected, nanobind::handle got) {
  return std::string(name) + ": expected " + expected + ", got " + nanobind::repr(got).c_str();
}

inline double read_number(nanobind::handle value, const char* name) {
  // PyFloat_AsDouble refuses strings, which float() would parse.
  const double number = PyFloat_AsDouble(value.ptr());
  if (number == -1 && PyErr_Occurred()) {
    const bool too_large = PyErr_ExceptionMatches(PyExc_OverflowError) != 0;
    PyErr_Clear();
    if (too_large) throw std::invalid_argument(rejection(name, "a finite number", value));
    throw nanobind::type_error(rejection(name, "a number", value).c_str());
  }
  return number;
}

inline bool is_true(nanobind::handle value) {
  const int truth = PyObject_IsTrue(value.ptr());
  if (truth < 0) throw nanobind::python_error();
  return truth > 0;
}

/// Sets an option; None keeps its present value.
template <class T, class Check>
void read_option(T& option, nanobind::handle value, const char* name, const Check& check) {
  if (!value.is_none()) option = check(read_number(value, name));
}

/// A value of an option and its name in Python.
template <class T>
struct Choice {
  const char* name;
  T value;
};
template <class T>
Choice(const char*, T) -> Choice<T>;

template <class T, std::size_t count>
T read_choice(nanobind::handle value, const char* option,
              const std::array<Choice<T>, count>& choices) {
  if (PyUnicode_Check(value.ptr()))
    for (const Choice<T>& choice : choices)
      if (PyUnicode_CompareWithASCIIString(value.ptr(), choice.name) == 0) return choice.value;
  std::string expected = "one of ";
  for (const Choice<T>& choice : choices)
    expected += (&choice == choices.data() ? "" : ", ") + std::string(choice.name);
  const std::string text = rejection(option, expected, value);
  if (PyUnicode_Check(value.ptr())) throw std::invalid_argument(text);
  throw nanobind::type_error(text.c_str());
}

}  // namespace toccata
