// Options from Python: types are checked here, values in the core.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <stdexcept>
#include <string>

namespace toccata {

[[noreturn]] inline void reject_option(const char* name, const std::string& expected,
                                       nanobind::handle got) {
  const std::string text = nanobind::repr(got).c_str();
  throw std::invalid_argument(std::string(name) + ": expected " + expected + ", got " + text);
}

inline double read_number(nanobind::handle value, const char* name) {
  // PyFloat_AsDouble refuses strings, which float() would parse.
  const double number = PyFloat_AsDouble(value.ptr());
  if (number == -1 && PyErr_Occurred()) {
    PyErr_Clear();
    reject_option(name, "a number", value);
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
  reject_option(option, expected, value);
}

}  // namespace toccata
