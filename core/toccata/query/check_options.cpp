// Checks of options, with messages of the form "name: expected X, got Y".
#include "toccata/query/check_options.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace toccata {
namespace {

constexpr double most_countable = 0x1p62;

[[noreturn]] void reject(const char* name, const char* expected, double got) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", got);
  throw std::invalid_argument(std::string(name) + ": expected " + expected + ", got " + text);
}

void check_not_negative(double value, const char* name) {
  if (!std::isfinite(value) || value < 0) reject(name, "a finite number of at least 0", value);
}

void check_positive(double value, const char* name) {
  if (!std::isfinite(value) || value <= 0) reject(name, "a finite number of more than 0", value);
}

}  // namespace

double checked_separation(double value) {
  check_not_negative(value, "separation");
  return value;
}

double checked_distance(double value) {
  check_not_negative(value, "distance");
  return value;
}

double checked_limit(double value) {
  if (!(value >= 0)) reject("limit", "a finite number of at least 0 or inf", value);
  return value;
}

double checked_tolerance(double value) {
  check_positive(value, "tolerance");
  return value;
}

double checked_resolution(double value) {
  if (!(value > 0 && value <= 1)) reject("resolution", "a number in (0, 1]", value);
  return value;
}

Count checked_budget(double value) {
  if (!std::isfinite(value) || value < 1) reject("budget", "a finite number of at least 1", value);
  if (value != std::floor(value)) reject("budget", "a whole number", value);
  return static_cast<Count>(std::min(value, most_countable));
}

double checked_control(double value, Method method) {
  if (method != Method::c2a) reject("w", "None, since only method 'c2a' uses it", value);
  check_positive(value, "w");
  if (value > 1) reject("w", "a number in (0, 1]", value);
  return value;
}

}  // namespace toccata
