#include "core/analysis/verify_relative.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "cpp/numbers.hpp"
#include "reference/angles.hpp"

namespace posenc {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct Result {
  std::vector<double> score, residual;
};

Result verify(const std::vector<float>& query, const std::vector<float>& key, const std::vector<double>& inv_freq,
              double distance, const std::vector<double>& shifts, RotaryScore options) {
  Result result{std::vector<double>(shifts.size()), std::vector<double>(shifts.size())};
  options.head_dim = query.size();
  if (options.rotary_dim == 0) options.rotary_dim = query.size();
  EXPECT_EQ(verify_relative(result.score, result.residual, query, key, inv_freq, distance, shifts, options),
            Status::Ok);
  return result;
}

TEST(VerifyRelative, HoldsThePublishedScoresAtEveryShift) {
  const std::vector<float> q = {1, 2, 3, 4}, k = {4, 3, 2, 1};
  const auto inv_freq = reference::frequencies(4);
  const std::vector<double> shifts = {0, 5, 100, -7, 1e6, 2147483646};
  const auto neighbours = verify(q, k, inv_freq, 2, shifts, {.pairing = Pairing::Interleaved});
  const auto halves = verify(q, k, inv_freq, 2, shifts, {.pairing = Pairing::Half});
  for (std::size_t i = 0; i < shifts.size(); ++i) {
    EXPECT_NEAR(neighbours.score[i], 10.483012168789427, 1e-14) << shifts[i];
    EXPECT_NEAR(halves.score[i], 15.129492636384501, 1e-14) << shifts[i];
    EXPECT_LE(neighbours.residual[i], 1e-14) << shifts[i];
  }
  // The same channels in the other order of pairs.
  const auto reordered = verify({1, 3, 2, 4}, {4, 2, 3, 1}, inv_freq, 2, {0}, {.pairing = Pairing::Half});
  EXPECT_NEAR(reordered.score[0], 10.483012168789427, 1e-14);
}

TEST(VerifyRelative, AddsTheChannelsThatPassThrough) {
  const auto result = verify({1, 2, 3, 4, 5, 6}, {4, 3, 2, 1, 0.5, 2}, reference::frequencies(4), 2, {9},
                             {.rotary_dim = 4, .pairing = Pairing::Interleaved});
  EXPECT_NEAR(result.score[0], 10.483012168789427 + 2.5 + 12, 1e-13);
}

TEST(VerifyRelative, SquaresTheAttentionFactor) {
  const auto result = verify({1, 2, 3, 4}, {4, 3, 2, 1}, reference::frequencies(4), 2, {9},
                             {.pairing = Pairing::Interleaved, .attention_factor = 1.5});
  EXPECT_NEAR(result.score[0], 2.25 * 10.483012168789427, 1e-13);
}

TEST(VerifyRelative, LosesInvarianceAsMeasuredInReducedPrecision) {
  // Vectors of ones: score / width is the kernel. Errors of an independent program, width 128, distance 7.
  const std::vector<float> ones(128, 1.0F);
  const std::vector<double> shifts = {0, 100, 1000, 10000, 100000, 1000000};
  struct Kind {
    Dtype dtype;
    std::array<double, 6> error;
  };
  for (const auto& [dtype, error] : {
           Kind{Dtype::F32,
                {1.0525704752240017e-09, 1.5986519441568703e-07, 1.3062888444270726e-06, 1.3047105582586482e-06,
                 5.7031938106577584e-06, 2.6231452896041674e-05}},
           Kind{Dtype::F16,
                {1.7898419318429504e-05, 0.00018670852221280843, 0.0012074484374562378, 0.036849637116272205, kNaN,
                 kNaN}},
           Kind{Dtype::Bf16,
                {0.0003250910047506439, 0.0021775668851491403, 0.07569165844920145, 0.26840889571831106,
                 0.26840889571831106, 0.26840889571831106}},
       }) {
    const auto result = verify(ones, ones, reference::frequencies(128), 7, shifts,
                               {.precision = {.position = dtype, .inv_freq = dtype, .angle = dtype}});
    for (std::size_t i = 0; i < shifts.size(); ++i) {
      if (std::isnan(error[i])) {
        EXPECT_TRUE(std::isnan(result.residual[i])) << shifts[i];
      } else {
        EXPECT_NEAR(result.residual[i] / 128, error[i], 1e-14) << shifts[i];
      }
    }
  }
}

TEST(VerifyRelative, GrowsWithTheShiftOnlyWherePositionOrAngleIsRounded) {
  const std::vector<float> ones(128, 1.0F);
  const auto residual = [&](RotaryPrecision precision) {
    return verify(ones, ones, reference::frequencies(128), 5, {0, 1000, 1000000}, {.precision = precision}).residual;
  };
  const auto frequency = residual({.inv_freq = Dtype::Bf16});
  EXPECT_NEAR(frequency[1], frequency[0], 1e-11);
  EXPECT_NEAR(frequency[2], frequency[0], 1e-11);
  const auto table = residual({.table = Dtype::Bf16});
  for (const double error : table) EXPECT_LT(error / 128, 2e-3);
  for (const auto& grown : {residual({.position = Dtype::Bf16}), residual({.angle = Dtype::Bf16})}) {
    EXPECT_GT(grown[2] / 128, 0.05);
  }
}

TEST(RotaryRounding, BoundsTheResidualWherePositionsAndAnglesAreExact) {
  Random random(3);
  const std::vector<double> shifts = {0, 1, 17, 1000, -1000, 131071, 1e6, 2e9};
  for (const std::size_t head_dim : {2, 6, 64, 130}) {
    for (const Dtype table : {Dtype::F64, Dtype::F32, Dtype::F16, Dtype::Bf16}) {
      for (const double factor : {1.0, 1.4, -0.7}) {
        const std::vector<float> query = random.floats(head_dim), key = random.floats(head_dim);
        RotaryScore options{.head_dim = head_dim,
                            .rotary_dim = head_dim / 4 * 2 + (head_dim == 2 ? 2 : 0),
                            .attention_factor = factor,
                            .precision = {.table = table}};
        const auto inv_freq = reference::frequencies(options.rotary_dim);
        const double bound = rotary_rounding(query, key, options);
        const auto result = verify(query, key, inv_freq, 5, shifts, options);
        double worst = 0;
        for (const double residual : result.residual) worst = std::max(worst, residual);
        EXPECT_LE(worst, bound);
        if (table != Dtype::F64) {
          EXPECT_GT(worst, bound / 1000) << head_dim;
        }
      }
    }
  }
}

TEST(RotaryRounding, IsPassedWherePositionsOrAnglesAreRounded) {
  const std::vector<float> ones(128, 1.0F);
  for (const Dtype dtype : {Dtype::F32, Dtype::F16, Dtype::Bf16}) {
    const RotaryScore options{.head_dim = 128, .rotary_dim = 128, .precision = {.angle = dtype}};
    const auto result = verify(ones, ones, reference::frequencies(128), 5, {30000}, options);
    EXPECT_GT(result.residual[0], rotary_rounding(ones, ones, options));
  }
}

TEST(VerifyRelative, ShowsWhatAHalfPrecisionTableGetsWrong) {
  // Base 10000, width 32, position 1857, pair 1: cos 0.30669280981876773, and cos 1045 in half precision.
  const double inv_freq = reference::frequencies(32)[1];
  const std::vector<float> e0 = {1, 0};
  const auto score = [&](RotaryPrecision precision) {
    return verify(e0, e0, {inv_freq}, 1857, {0}, {.precision = precision}).score[0];
  };
  EXPECT_NEAR(score({}), 0.30669280981876773, 1e-12);
  EXPECT_NEAR(score({.position = Dtype::F16, .inv_freq = Dtype::F16, .angle = Dtype::F16}), std::cos(1045.0), 1e-12);
}

TEST(VerifyRelative, RefusesBadInputAndLeavesTheResultsAlone) {
  std::vector<double> score(2, -7.0), residual(2, -7.0), one(1);
  const std::vector<float> x(4, 1.0F), short_x(3, 1.0F);
  const RotaryScore good{.head_dim = 4, .rotary_dim = 4};
  const auto call = [&](const std::vector<double>& inv_freq, double distance, const std::vector<double>& shifts,
                        RotaryScore options) {
    return verify_relative(score, residual, x, x, inv_freq, distance, shifts, options);
  };
  EXPECT_EQ(call({1, 0.1}, 1, {0, 1}, {.head_dim = 4, .rotary_dim = 3}), Status::OddDimension);
  EXPECT_EQ(call({1, 0.1}, 1, {0, 1}, {.head_dim = 4, .rotary_dim = 6}), Status::BadShape);
  EXPECT_EQ(call({}, 1, {0, 1}, {.head_dim = 4, .rotary_dim = 0}), Status::BadShape);
  EXPECT_EQ(call({1, 0.1}, 1, {}, good), Status::BadShape);
  EXPECT_EQ(call({1}, 1, {0, 1}, good), Status::WrongLength);
  EXPECT_EQ(call({1, 0.1}, 1, {0, 1, 2}, good), Status::WrongLength);
  EXPECT_EQ(call({1, 0.1}, 1, {0, 1}, {.head_dim = 5, .rotary_dim = 4}), Status::WrongLength);
  EXPECT_EQ(verify_relative(score, one, x, x, std::vector{1.0, 0.1}, 1, std::vector{0.0, 1.0}, good),
            Status::WrongLength);
  EXPECT_EQ(verify_relative(score, residual, x, short_x, std::vector{1.0, 0.1}, 1, std::vector{0.0, 1.0}, good),
            Status::WrongLength);
  EXPECT_EQ(call({1, kNaN}, 1, {0, 1}, good), Status::NotFinite);
  EXPECT_EQ(call({1, 0.1}, 1, {0, 1}, {.head_dim = 4, .rotary_dim = 4, .attention_factor = kInfinity}),
            Status::NotFinite);
  EXPECT_EQ(call({1, 0.1}, 0.5, {0, 1}, good), Status::OutOfRange);
  EXPECT_EQ(call({1, 0.1}, 1, {0, 0.5}, good), Status::OutOfRange);
  EXPECT_EQ(call({1, 0.1}, 1, {0, 2147483648.0}, good), Status::OutOfRange);
  EXPECT_EQ(score, std::vector<double>(2, -7.0));
  EXPECT_EQ(residual, std::vector<double>(2, -7.0));
}

}  // namespace
}  // namespace posenc
