#pragma once

#include <cmath>

namespace posenc::reference {

inline double kerple_log(double a, double p, double distance) { return -p * std::log(1.0L + a * distance); }

inline double kerple_power(double a, double p, double distance) {
  return distance == 0 ? 0 : -a * std::exp(p * std::log(static_cast<long double>(distance)));
}

}  // namespace posenc::reference
