// Checks of arguments, which throw `invalid_argument`. Our own mistakes are found by `assert`
// instead.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace toccata {

/// Throws `invalid_argument` with "argument: message" unless `condition` holds.
inline void expects(bool condition, const char* argument, const char* message) {
  if (!condition) throw std::invalid_argument(std::string(argument) + ": " + message);
}

/// Checks like `expects` above; the message ends with the value found.
inline void expects(bool condition, const char* argument, const char* message, double got) {
  if (!condition)
    throw std::invalid_argument(std::string(argument) + ": " + message + ", got " +
                                std::to_string(got));
}

/// Throws `invalid_argument` for the number `got`, which is not finite, in a row of an argument.
[[noreturn]] inline void reject_not_finite(const char* argument, double got, std::size_t row) {
  throw std::invalid_argument(std::string(argument) + ": expected finite numbers, got " +
                              std::to_string(got) + " (row " + std::to_string(row) + " is not)");
}

}  // namespace toccata
