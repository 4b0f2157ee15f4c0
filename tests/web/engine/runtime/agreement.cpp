// What the native build computes for the calls of agreement.test.ts: a JSON object with one string per call, the bytes
// of its result in hexadecimal. A call, its sizes and its seeds stand here and there under one name.

#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "core/absolute/index.hpp"
#include "core/absolute/learned.hpp"
#include "core/absolute/one_hot.hpp"
#include "core/absolute/positional_encoding.hpp"
#include "core/absolute/sinusoidal.hpp"
#include "core/absolute/sinusoidal_2d.hpp"
#include "core/analysis/decompose.hpp"
#include "core/analysis/distance_kernel.hpp"
#include "core/analysis/similarity.hpp"
#include "core/analysis/verify_relative.hpp"
#include "core/attention/attention.hpp"
#include "core/numeric/simd.hpp"
#include "core/relative/alibi.hpp"
#include "core/relative/deberta.hpp"
#include "core/relative/distance_bias.hpp"
#include "core/relative/fire.hpp"
#include "core/relative/kerple.hpp"
#include "core/relative/shaw.hpp"
#include "core/relative/t5.hpp"
#include "core/relative/transformer_xl.hpp"
#include "core/rotary/mrope.hpp"
#include "core/rotary/rope.hpp"
#include "core/rotary/rope_2d.hpp"
#include "core/rotary/xpos.hpp"

namespace posenc {
namespace {

using Floats = std::vector<float>;
using Doubles = std::vector<double>;

/// Numbers from -1 to 1 that depend on their seed and index: randomFloats of support/oracle.ts (mulberry32).
Floats random_floats(std::size_t length, std::uint32_t seed) {
  Floats values(length);
  for (float& value : values) {
    seed += 0x6d2b79f5;
    std::uint32_t t = (seed ^ (seed >> 15)) * (1 | seed);
    t = (t + (t ^ (t >> 7)) * (61 | t)) ^ t;
    value = static_cast<float>((t ^ (t >> 14)) / 0x1p31 - 1);
  }
  return values;
}

/// The same, raised to lie between 0 and 2.
Floats random_positive(std::size_t length, std::uint32_t seed) {
  Floats values = random_floats(length, seed);
  for (float& value : values) value += 1;
  return values;
}

/// 65536^(-i / pairs) / divisor for 16 or 8 pairs: powers of two, which every pow gives exactly, divided once.
Doubles frequencies(std::size_t pairs, double divisor) {
  Doubles values(pairs);
  for (std::size_t i = 0; i < pairs; ++i) values[i] = std::ldexp(1.0, -static_cast<int>(i * 16 / pairs)) / divisor;
  return values;
}

Doubles counting(std::size_t length, double first, double step = 1) {
  Doubles values(length);
  for (std::size_t i = 0; i < length; ++i) values[i] = first + step * static_cast<double>(i);
  return values;
}

void require(Status status, const char* name) {
  if (status == Status::Ok) return;
  std::fprintf(stderr, "%s failed with status %d\n", name, static_cast<int>(status));
  std::exit(1);
}

/// Adds a result to the object.
template <class Number>
void report(const char* name, const std::vector<Number>& values) {
  static_assert(std::endian::native == std::endian::little);
  const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
  std::printf("\"%s\": \"", name);
  for (std::size_t i = 0; i < values.size() * sizeof(Number); ++i) std::printf("%02x", bytes[i]);
  std::printf("\",\n");
}

/// Reports an output of `length` numbers that `call` fills.
template <class Number = float, class Call>
void report(const char* name, std::size_t length, Call call) {
  std::vector<Number> out(length);
  require(call(std::span<Number>(out)), name);
  report(name, out);
}

constexpr double kAttentionFactor = 1.25;

void absolute() {
  report("indexEncoding", 37, [](auto out) { return index_encoding(out, IndexMode::Fraction); });
  report("oneHot", 4 * 7, [](auto out) { return one_hot(out, Doubles{3, 0, 6, 3}, 7); });
  report("learned", 3 * 6, [](auto out) { return learned(out, random_floats(60, 1), Doubles{4, 0, 7}, 10, 6, 2); });
  const Positions positions{.length = 75, .start = 1000000};
  report("sinusoidal", 75 * 32,
         [&](auto out) { return sinusoidal(out, frequencies(16, 1), positions, 32, AngleLayout::SinCosInterleaved); });
  report("sinusoidal2d", 40 * 32, [](auto out) {
    return sinusoidal_2d(out, frequencies(8, 1), counting(40, -3.25, 0.375), counting(40, 0.1, 0.7),
                         AngleLayout::CosThenSin);
  });
  Floats table(9 * 32);
  require(sinusoidal(table, frequencies(16, 1), {.length = 9}, 32, AngleLayout::SinCosInterleaved), "sinusoidal");
  report("positionalEncoding", 2 * 9 * 32, [&](auto out) {
    return positional_encoding(out, random_floats(out.size(), 2), table, {.batch = 2, .length = 9, .dim = 32}, 0.25, 7);
  });
}

// [2, 9, 3, 34], of which 32 channels turn.
constexpr RopeShape kTurned{.batch = 2, .length = 9, .heads = 3, .head_dim = 34, .rotary_dim = 32};

void rotary() {
  const Positions positions{.length = 90, .start = 123456};
  Floats cos(90 * 16), sin(90 * 16);
  require(rope_table(cos, sin, frequencies(16, 1.37), positions, kAttentionFactor), "ropeTable");
  report("ropeTable.cos", cos);
  report("ropeTable.sin", sin);

  const auto turned = [](const char* name, std::size_t seed, RopeShape shape, auto fill_table, auto rotate) {
    Floats c(shape.length * shape.rotary_dim / 2), s(c.size());
    require(fill_table(c, s), name);
    report(name, shape.batch * shape.length * shape.heads * shape.head_dim, [&](auto out) {
      std::ranges::copy(random_floats(out.size(), static_cast<std::uint32_t>(seed)), out.begin());
      return rotate(out, c, s, shape);
    });
  };
  const auto rotate = [](auto x, const Floats& c, const Floats& s, RopeShape shape) {
    return rope_rotate(x, x, c, s, {}, shape, Direction::Forward);
  };
  const auto fill = [](Floats& c, Floats& s) {
    return rope_table(c, s, frequencies(16, 1.37), {.length = 9, .start = 123456}, kAttentionFactor);
  };
  RopeShape interleaved = kTurned;
  interleaved.pairing = Pairing::Interleaved;
  interleaved.format = TensorFormat::Bhsd;
  turned("rope.half", 3, kTurned, fill, rotate);
  turned("rope.interleaved", 4, interleaved, fill, rotate);

  interleaved.format = TensorFormat::Bshd;
  const auto fill_xpos = [](Floats& c, Floats& s) {
    Doubles log_scale(16);
    for (std::size_t i = 0; i < 16; ++i) {
      log_scale[i] = std::log((static_cast<double>(i) / 16 + 0.4) / (1 + 0.4)) / 512;
    }
    return xpos_table(c, s, frequencies(16, 1.37), log_scale, {.length = 9, .start = 40}, 0, 1);
  };
  turned("xpos", 5, interleaved, fill_xpos, rotate);

  const auto fill_mrope = [](Floats& c, Floats& s) {
    return mrope_table(c, s, frequencies(16, 1.37), counting(27, 100, 37), {4, 6, 6}, MropeOrder::Chunked, 1);
  };
  turned("mrope", 6, kTurned, fill_mrope, rotate);

  const auto fill_2d = [](Floats& c, Floats& s) {
    Doubles both = frequencies(8, 1.37);
    both.insert(both.end(), both.begin(), both.begin() + 8);
    return rope_2d_table(c, s, both, counting(9, 5), counting(9, 7, 3), 1);
  };
  turned("rope2d", 7, kTurned, fill_2d, [](auto x, const Floats& c, const Floats& s, RopeShape shape) {
    return rope_2d_rotate(x, x, c, s, {}, shape, Rope2dVariant::Chatglm, Direction::Forward);
  });
}

constexpr BiasShape kBias{.heads = 3, .query_length = 7, .key_length = 19, .query_start = 12};

void biases() {
  report<double>("alibiSlopes", 12, [](auto out) { return alibi_slopes(out, AlibiRule::PublishedCode, 8); });
  Doubles slopes(3);
  require(alibi_slopes(slopes, AlibiRule::PublishedCode, 8), "alibiSlopes");
  report("alibiBias", 3 * 7 * 19, [&](auto out) { return alibi_bias(out, slopes, {}, kBias, AlibiForm::Causal); });
  report("t5Bias", 3 * 7 * 19, [](auto out) { return t5_bias(out, random_floats(32 * 3, 8), kBias, T5Rule{}); });
  const Floats a = random_positive(3, 9), p = random_positive(3, 10);
  report("kerpleBias.log", 3 * 7 * 19, [&](auto out) { return kerple_bias(out, a, p, kBias, KerpleKind::Log); });
  report("kerpleBias.power", 3 * 7 * 19, [&](auto out) { return kerple_bias(out, a, p, kBias, KerpleKind::Power); });
  const Floats w1 = random_floats(32, 11), b1 = random_floats(32, 12), w2 = random_floats(96, 13),
               b2 = random_floats(3, 14);
  report("fireBias", 3 * 7 * 19, [&](auto out) {
    return fire_bias(out, {w1, b1, w2, b2}, {.c = 0.25, .threshold = 15, .epsilon = 1e-6}, kBias);
  });
}

void buckets() {
  const Doubles distances = counting(301, -1500, 10);
  report<std::int32_t>("t5Buckets", 301, [&](auto out) { return t5_buckets(out, distances, T5Rule{}); });
  report<std::int32_t>("debertaBuckets", 301, [&](auto out) { return deberta_buckets(out, distances, DebertaRule{}); });
}

// Two sequences, four heads that share two heads of keys.
constexpr AttentionShape kScores{
    .batch = 2, .heads = 4, .kv_heads = 2, .query_length = 21, .key_length = 37, .head_dim = 32, .value_dim = 24};
constexpr std::size_t kMatrix = 2 * 4 * 21 * 37;

/// Scores or the output of attention with a relative term.
void report_term(const char* name, const Floats& query, const Floats& key, const Floats& value,
                 const RelativeTerm& term, const AttentionRule& rule, AttentionResult result) {
  const std::size_t size = result == AttentionResult::Output ? 2 * 21 * 4 * 24 : kMatrix;
  report(name, size, [&](auto out) {
    Floats scratch(attention_scratch(kScores));
    const AttentionInputs inputs{.query = query, .key = key, .value = value, .relative_term = &term};
    return attention(out, inputs, {}, kScores, rule, result, scratch);
  });
}

void scores(const Floats& query, const Floats& key, const Floats& value) {
  const auto scale = static_cast<float>(1 / std::sqrt(32.0));
  const AttentionRule causal{.scale = scale, .query_start = 16, .causal = true};
  const Floats u = random_floats(128, 20), v = random_floats(128, 21), relative_keys = random_floats(58 * 128, 22);
  report_term("transformerXlScores", query, key, value, TransformerXlTerm(u, v, relative_keys, 16), causal,
              AttentionResult::Scores);
  const Floats relative_key = random_floats(4 * 32 * 32, 23), relative_query = random_floats(4 * 32 * 32, 24);
  const DebertaTerm deberta(relative_key, relative_query, 16, DebertaRule{.bucket_size = 16, .max_position = 64});
  report_term("debertaScores", query, key, value, deberta,
              {.scale = static_cast<float>(1 / std::sqrt(96.0)), .query_start = 0}, AttentionResult::Scores);
  const Floats key_table = random_floats(9 * 32, 25), value_table = random_floats(9 * 24, 26);
  report_term("shawAttention", query, key, value, ShawTerm(key_table, value_table, 4), causal, AttentionResult::Output);
}

void attend(const Floats& query, const Floats& key, const Floats& value) {
  const auto call = [&](const char* name, AttentionShape shape, AttentionResult result, const AttentionInputs& inputs,
                        const AttentionRope& rope, const AttentionRule& rule) {
    const std::size_t rows = shape.batch * shape.heads * shape.query_length;
    report(name, rows * (result == AttentionResult::Output ? shape.value_dim : shape.key_length), [&](auto out) {
      Floats scratch(attention_scratch(shape));
      return attention(out, inputs, rope, shape, rule, result, scratch);
    });
  };
  const AttentionInputs plain{.query = query, .key = key, .value = value};
  const AttentionRule causal{.scale = 0.25F, .query_start = 16, .causal = true};
  call("attention.causal", kScores, AttentionResult::Output, plain, {}, causal);
  call("attention.weights", kScores, AttentionResult::Weights, plain, {}, causal);

  Floats cos(37 * 16), sin(37 * 16);
  require(rope_table(cos, sin, frequencies(16, 1.37), {.length = 37}, 1), "ropeTable");
  const std::span<const float> all_cos = cos, all_sin = sin;
  const AttentionRope rope{.query_cos = all_cos.subspan(16 * 16),
                           .query_sin = all_sin.subspan(16 * 16),
                           .key_cos = all_cos,
                           .key_sin = all_sin,
                           .rotary_dim = 32};
  call("attention.rope", kScores, AttentionResult::Output, plain, rope, causal);
  call("attention.scores", kScores, AttentionResult::Scores, plain, rope, causal);

  const Doubles slopes = {0.5, 0.25, 0.125, 0.0625};
  const Floats sinks = random_floats(4, 27);
  AttentionInputs adjusted = plain;
  Floats by_distance(4 * (21 + 37 - 1));
  const BiasShape row{.heads = 4, .query_length = 1, .key_length = 21 + 37 - 1, .query_start = 36};
  require(alibi_bias(by_distance, slopes, {}, row, AlibiForm::Symmetric), "alibiBias");
  const DistanceBias alibi(by_distance, 36);
  adjusted.bias_term = &alibi;
  adjusted.sinks = sinks;
  AttentionRule capped = causal;
  capped.softcap = 3;
  capped.window_left = 11;
  call("attention.adjusted", kScores, AttentionResult::Output, adjusted, {}, capped);

  AttentionShape decoding = kScores;  // one query, whose keys are read as they are
  decoding.query_length = 1;
  AttentionInputs one_query = plain;
  one_query.query = plain.query.first(2 * 4 * 32);
  call("attention.decoding", decoding, AttentionResult::Output, one_query, {}, {.scale = 0.25F, .query_start = 36});
}

void analysis() {
  report("similarity", 40 * 40, [](auto out) { return similarity(out, random_floats(40 * 30, 30), 40, 30); });
  const Floats positive = random_positive(70, 31);
  const Doubles inv_freq(positive.begin(), positive.end()), distances = counting(50, -20, 12345);
  report<double>("distanceKernel", 50, [&](auto out) { return distance_kernel(out, inv_freq, distances); });
  report<double>("decayBound", 50, [&](auto out) { return decay_bound(out, inv_freq, distances); });
  Doubles minimum(2), maximum(2), argmax(2), scratch(kernel_scratch(70));
  require(kernel_envelope(minimum, maximum, argmax, inv_freq, Doubles{0, 100, 9000}, scratch), "kernelEnvelope");
  report("kernelEnvelope.minimum", minimum);
  report("kernelEnvelope.maximum", maximum);
  report("kernelEnvelope.argmax", argmax);

  const DecomposeShape shape{.length = 12, .dim = 32, .projected = 20};
  Floats p(12 * 32), cc(144), pc(144), cp(144), pp(144);
  require(sinusoidal(p, frequencies(16, 1), {.length = 12}, 32, AngleLayout::SinCosInterleaved), "sinusoidal");
  Doubles space(decompose_scratch(shape));
  require(decompose({cc, pc, cp, pp}, random_floats(12 * 32, 32), p, random_floats(640, 33), random_floats(640, 34),
                    space, shape),
          "decompose");
  report("decompose.contentContent", cc);
  report("decompose.positionContent", pc);
  report("decompose.contentPosition", cp);
  report("decompose.positionPosition", pp);

  Doubles score(20), residual(20);
  const RotaryScore options{.head_dim = 34, .rotary_dim = 32};
  require(verify_relative(score, residual, random_floats(34, 35), random_floats(34, 36), frequencies(16, 1.37), 9,
                          counting(20, 0, 1000003), options),
          "verifyRelative");
  report("verifyRelative", score);
}

}  // namespace
}  // namespace posenc

int main() {
  using namespace posenc;
  std::printf("{\n");
  absolute();
  rotary();
  biases();
  buckets();
  const Floats query = random_floats(2 * 21 * 4 * 32, 15), key = random_floats(2 * 37 * 2 * 32, 16),
               value = random_floats(2 * 37 * 2 * 24, 17);
  scores(query, key, value);
  attend(query, key, value);
  analysis();
  std::printf("\"lanes\": \"%zu\"\n}\n", kLanes);
}
