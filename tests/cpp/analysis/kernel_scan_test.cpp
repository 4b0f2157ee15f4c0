#include "core/analysis/kernel_scan.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "reference/distance_kernel.hpp"

namespace posenc {
namespace {

TEST(KernelScan, VisitsEveryDistanceOnceInOrder) {
  for (const std::size_t pairs : {1, 3, 65}) {
    const auto inv_freq = reference::frequencies(2 * pairs);
    std::vector<double> scratch(KernelScan::kScratchPerPair * pairs + KernelScan::kScratch);
    KernelScan scan(inv_freq, scratch);
    for (const double from : {-1.0, 4000.0, 2147483648.0 - 300, 9007199254740992.0 - 500}) {
      for (const double count : {1.0, 254.0, 255.0, 256.0, 499.0, 9000.0}) {
        if (from + count > 9007199254740992.0) continue;
        double next = from;
        scan.scan(from, from + count - 1, [&](double first, std::span<const double> values) {
          for (const double value : values) {
            const bool checked = static_cast<long>(next - from) % 37 == 0 || &value == &values.back();
            if (checked) {
              const double bound = static_cast<double>(pairs + 16) * 0x1p-53;
              ASSERT_NEAR(value, reference::kernel(next, inv_freq), bound + 0x1p-53) << next;
            }
            ++next;
          }
          EXPECT_EQ(first + static_cast<double>(values.size()), next);
        });
        EXPECT_EQ(next, from + count);
      }
    }
  }
}

}  // namespace
}  // namespace posenc
