#include "toccata/walk/options.hpp"

#include "toccata/base/expects.hpp"

namespace toccata {

void check(const Options& options) {
  expects(options.separation >= 0 && std::isfinite(options.separation), "separation",
          "expected a finite number, not negative", options.separation);
  expects(options.tolerance >= 0 && std::isfinite(options.tolerance), "tolerance",
          "expected a positive finite number", options.tolerance);
  expects(options.budget > 0, "budget", "expected a positive number",
          static_cast<double>(options.budget));
  expects(options.w > 0 && options.w <= 1, "w", "expected a number in (0, 1]", options.w);
}

}  // namespace toccata
