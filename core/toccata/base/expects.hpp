// Checks of what a caller hands in. What we got wrong ourselves is an `assert`.
#pragma once

#include <stdexcept>
#include <string>

namespace toccata {

/// Throws `invalid_argument` with "argument: message" unless `condition` holds.
inline void expects(bool condition, const char* argument, const char* message) {
  if (!condition) throw std::invalid_argument(std::string(argument) + ": " + message);
}

/// The same, naming the value that came.
inline void expects(bool condition, const char* argument, const char* message, double got) {
  if (!condition)
    throw std::invalid_argument(std::string(argument) + ": " + message + ", got " +
                                std::to_string(got));
}

}  // namespace toccata
