// The smallest thing that can fail a test.
#pragma once

#include <cstdio>
#include <cstdlib>

#define CHECK(condition)                                                   \
  do {                                                                     \
    if (!(condition)) {                                                    \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(1);                                                        \
    }                                                                      \
  } while (false)

namespace toccata::testing {

/// How many random cases to draw: the first argument, or `count` times TOCCATA_FUZZ (1 by default),
/// which the tests in Python read too.
inline int cases(int argc, char** argv, int count) {
  if (argc > 1) return std::atoi(argv[1]);
  const char* factor = std::getenv("TOCCATA_FUZZ");
  const int scaled = factor ? static_cast<int>(count * std::atof(factor)) : count;
  return scaled < 1 ? 1 : scaled;
}

/// The seed: the second argument.
inline int seed(int argc, char** argv, int usual) { return argc > 2 ? std::atoi(argv[2]) : usual; }

}  // namespace toccata::testing
