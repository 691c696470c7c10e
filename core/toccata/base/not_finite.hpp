// What callers are told of a number that is not finite.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace toccata {

/// Throws `invalid_argument` for the number that came in a row of an argument.
[[noreturn]] inline void reject_not_finite(const char* argument, double got, std::size_t row) {
  throw std::invalid_argument(std::string(argument) + ": expected finite numbers, got " +
                              std::to_string(got) + " (row " + std::to_string(row) + " is not)");
}

}  // namespace toccata
