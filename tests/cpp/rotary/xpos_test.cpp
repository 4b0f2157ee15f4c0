#include "core/rotary/xpos.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "core/rotary/rope.hpp"
#include "cpp/numbers.hpp"
#include "reference/angles.hpp"
#include "reference/xpos.hpp"

namespace posenc {
namespace {

enum class Side { Query, Key };

struct Scale {
  double gamma = 0.4;
  double scale_base = 512;
  double center = 0;
  Side side = Side::Query;
};

std::vector<double> log_scale(std::size_t pairs, Scale scale) {
  std::vector<double> logs;
  for (std::size_t p = 0; p < pairs; ++p) {
    const double log = std::log(reference::xpos_zeta(p, 2 * pairs, scale.gamma)) / scale.scale_base;
    logs.push_back(scale.side == Side::Query ? log : -log);
  }
  return logs;
}

struct Tables {
  std::vector<float> cos, sin;

  static Tables of(const std::vector<double>& inv_freq, Positions positions, Scale scale, double factor = 1) {
    const std::size_t pairs = inv_freq.size();
    Tables t{std::vector<float>(positions.length * pairs), std::vector<float>(positions.length * pairs)};
    EXPECT_EQ(xpos_table(t.cos, t.sin, inv_freq, log_scale(pairs, scale), positions, scale.center, factor), Status::Ok);
    return t;
  }
};

void expect_matches_reference(std::size_t pairs, Positions positions, Scale scale, double factor = 1) {
  const auto inv_freq = reference::frequencies(2 * pairs);
  const auto tables = Tables::of(inv_freq, positions, scale, factor);
  for (std::size_t row = 0; row < positions.length; ++row) {
    for (std::size_t p = 0; p < pairs; ++p) {
      const double position = positions.at(row);
      const auto exact = reference::cos_sin(position, inv_freq[p]);
      const double query_size =
          std::pow(reference::xpos_zeta(p, 2 * pairs, scale.gamma), (position - scale.center) / scale.scale_base);
      const double size = factor * (scale.side == Side::Query ? query_size : 1 / query_size);
      EXPECT_LE(ulps(tables.cos[row * pairs + p], size * exact.cos), 0.51) << position << ", " << p;
      EXPECT_LE(ulps(tables.sin[row * pairs + p], size * exact.sin), 0.51) << position << ", " << p;
    }
  }
}

TEST(XposTable, MatchesReferenceForEveryTailLengthAndBothSides) {
  for (std::size_t pairs = 1; pairs <= 33; ++pairs) {
    expect_matches_reference(pairs, {.length = 5, .start = -2}, {});
    expect_matches_reference(pairs, {.length = 5, .start = 1000}, {.center = 1003.5, .side = Side::Key}, 1.25);
  }
  expect_matches_reference(67, {.length = 3, .start = 2000}, {.gamma = 0.1, .scale_base = 64, .center = 1990});
}

TEST(XposTable, MatchesReferenceAtTheEndsOfWhatFloatsHold) {
  const std::vector<double> positions = {-35554, 0, 35554};  // 87 * 512 / ln 3.5 = 35556.8
  for (const Side side : {Side::Query, Side::Key}) {
    expect_matches_reference(8, {.length = 3, .values = positions}, {.side = side});
    expect_matches_reference(8, {.length = 3, .start = 2147483646}, {.center = 2147483648, .side = side});
  }
}

TEST(XposTable, MakesScoresFadeWithDistanceWhateverTheCenter) {
  const auto inv_freq = reference::frequencies(8);
  const auto score = [&](double m, double n, double center) {
    std::vector<float> q = {1, 2, -1, 3, 0.5F, 1, 2, 1}, k = {2, 1, 1, 0, 1, -1, 1, 3};
    const RopeShape shape{.length = 1, .heads = 1, .head_dim = 8, .rotary_dim = 8, .pairing = Pairing::Interleaved};
    const auto queries = Tables::of(inv_freq, {.length = 1, .start = m}, {.center = center, .side = Side::Query});
    const auto keys = Tables::of(inv_freq, {.length = 1, .start = n}, {.center = center, .side = Side::Key});
    EXPECT_EQ(rope_rotate(q, q, queries.cos, queries.sin, {}, shape, Direction::Forward), Status::Ok);
    EXPECT_EQ(rope_rotate(k, k, keys.cos, keys.sin, {}, shape, Direction::Forward), Status::Ok);
    double sum = 0;
    for (std::size_t c = 0; c < 8; ++c) sum += double{q[c]} * double{k[c]};
    return sum;
  };
  // A pair scores zeta^(distance / 512) times what the rotation alone gives it.
  const std::vector<double> q = {1, 2, -1, 3, 0.5, 1, 2, 1}, k = {2, 1, 1, 0, 1, -1, 1, 3};
  double expected = 0;
  for (std::size_t p = 0; p < 4; ++p) {
    const auto turned = reference::cos_sin(-300, inv_freq[p]);  // of the key against the query
    const double a = k[2 * p] * turned.cos - k[2 * p + 1] * turned.sin;
    const double b = k[2 * p] * turned.sin + k[2 * p + 1] * turned.cos;
    expected += std::pow(reference::xpos_zeta(p, 8, 0.4), 300.0 / 512) * (q[2 * p] * a + q[2 * p + 1] * b);
  }
  for (const double shift : {0.0, 100.0, 5000.0}) {
    for (const double center : {0.0, 150.0, -700.0}) EXPECT_NEAR(score(300 + shift, shift, center), expected, 2e-5);
  }
}

TEST(XposTable, RefusesBadInputAndLeavesTheTablesAlone) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::vector<double> inv_freq = {1, 0.01}, logs = log_scale(2, {});
  std::vector<float> cos(6, -7), sin(6, -7), short_sin(4, -7);
  const auto call = [&](Positions positions, double center = 0, double factor = 1) {
    return xpos_table(cos, sin, inv_freq, logs, positions, center, factor);
  };
  const Positions good{.length = 3};
  EXPECT_EQ(xpos_table(cos, short_sin, inv_freq, logs, good, 0, 1), Status::WrongLength);
  EXPECT_EQ(xpos_table(cos, sin, inv_freq, std::vector<double>{1}, good, 0, 1), Status::WrongLength);
  EXPECT_EQ(xpos_table({}, {}, {}, {}, good, 0, 1), Status::BadShape);
  EXPECT_EQ(call({.length = 2}), Status::WrongLength);
  EXPECT_EQ(call({.length = kTooLarge / 2 + 4}), Status::WrongLength);  // wraps to 6
  EXPECT_EQ(call({.length = 3, .start = 0.5}), Status::OutOfRange);
  EXPECT_EQ(call({.length = 3, .values = inv_freq}), Status::WrongLength);
  EXPECT_EQ(call({.length = 3, .start = 35557}), Status::OutOfRange);
  EXPECT_EQ(call({.length = 3, .start = -35557}), Status::OutOfRange);
  EXPECT_EQ(call(good, 1e9), Status::OutOfRange);
  for (const double bad : {kNan, kInfinity}) {
    EXPECT_EQ(xpos_table(cos, sin, std::vector<double>{1, bad}, logs, good, 0, 1), Status::NotFinite);
    EXPECT_EQ(xpos_table(cos, sin, inv_freq, std::vector<double>{0, bad}, good, 0, 1), Status::NotFinite);
    EXPECT_EQ(call(good, bad), Status::NotFinite);
    EXPECT_EQ(call(good, 0, bad), Status::NotFinite);
  }
  EXPECT_EQ(cos, std::vector<float>(6, -7));
  EXPECT_EQ(sin, std::vector<float>(6, -7));
  EXPECT_EQ(call(good), Status::Ok);
}

}  // namespace
}  // namespace posenc
