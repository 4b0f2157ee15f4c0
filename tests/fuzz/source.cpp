#include "fuzz/source.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace posenc::fuzz {
namespace {

constexpr std::size_t kMaxSize = std::numeric_limits<std::size_t>::max();

// A span gets at most this many elements. One that should have more gets few, which the call has to notice; where its
// length is all there is to know, the call stays short.
constexpr std::size_t kMostElements = std::size_t{1} << 16;
constexpr std::size_t kFew = 200;

}  // namespace

void require(bool condition, const char* message) noexcept {
  if (condition) return;
  std::fprintf(stderr, "broken: %s\n", message);
  std::abort();
}

std::size_t Source::size(std::size_t most) noexcept {
  const std::uint8_t b = byte();
  if (b < kHostile) return std::max<std::size_t>(b % (most + 1), 1);
  constexpr std::size_t kTop = kMaxSize / 2 + 1;  // the highest bit alone
  constexpr std::uint64_t kTwo32 = std::uint64_t{1} << 32;
  constexpr std::size_t kSizes[] = {0,
                                    kTop - 1,
                                    kTop,
                                    kTop + 1,
                                    kTop + 2,
                                    kMaxSize,
                                    kMaxSize - 1,
                                    kMaxSize / 3 + 1,
                                    kMaxSize / 3 + 2,
                                    kMaxSize / 5 + 1,
                                    static_cast<std::size_t>(kTwo32 / 2),
                                    static_cast<std::size_t>(kTwo32 / 2 + 1),
                                    static_cast<std::size_t>(kTwo32 - 1),
                                    static_cast<std::size_t>(kTwo32),
                                    static_cast<std::size_t>(kTwo32 + 1),
                                    static_cast<std::size_t>(kTwo32 + 4)};
  return kSizes[static_cast<std::size_t>(b - kHostile) % std::size(kSizes)];
}

std::size_t Source::length(const Product& product) noexcept {
  const std::size_t right = product.wrapped();
  const std::uint8_t b = byte();
  const std::size_t lengths[] = {right + 1, right - 1, 0, right / 2, 2 * right};
  const std::size_t length =
      b < kHostile ? right : lengths[static_cast<std::size_t>(b - kHostile) % std::size(lengths)];
  return length > kMostElements ? kFew : length;
}

double Source::number(double plain) noexcept { return byte() < kHostile ? plain : any_number(); }

double Source::position(double plain) noexcept {
  const std::uint8_t b = byte();
  if (b >= kHostile) return any_number();
  return plain + (b < 128 ? b : 127 - b);
}

double Source::any_number() noexcept {
  using Double = std::numeric_limits<double>;
  constexpr double kNumbers[] = {0.0,
                                 -0.0,
                                 0.5,
                                 -1,
                                 Double::quiet_NaN(),
                                 Double::infinity(),
                                 1e10,
                                 -1e10,
                                 1e-10,
                                 1e30,
                                 -Double::infinity(),
                                 -1e30,
                                 1e-40,
                                 0x1p31,
                                 -0x1p31,
                                 0x1p31 + 1,
                                 0x1p32,
                                 0x1p32 + 1024,
                                 0x1p53,
                                 0x1p53 + 2,
                                 Double::max(),
                                 Double::denorm_min()};
  const std::uint8_t b = byte();
  if (b < std::size(kNumbers)) return kNumbers[b];
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < sizeof bits; ++i) bits = bits << 8 | byte();
  return std::bit_cast<double>(bits);
}

std::vector<double> Source::positions(std::size_t length) {
  const std::uint8_t kind = byte();
  return fill<double>(length, [this, kind](std::size_t i) {
    return kind % 2 == 0 ? kind / 2 + static_cast<double>(i) : std::floor(uniform(i) * 0x1p31);
  });
}

std::vector<double> Source::frequencies(std::size_t length) {
  return fill<double>(
      length, [length](std::size_t i) { return std::pow(1e4, -static_cast<double>(i) / static_cast<double>(length)); });
}

std::vector<std::uint8_t> Source::bits(std::size_t length) {
  seed_ = byte();
  std::vector<std::uint8_t> bits(length);
  for (std::size_t i = 0; i < length; ++i) bits[i] = uniform(i) > -0.5 ? 1 : 0;
  return bits;
}

std::vector<std::uint32_t> Source::rows(std::size_t length, std::size_t below) {
  seed_ = byte();
  std::vector<std::uint32_t> rows(length);
  for (std::size_t i = 0; i < length; ++i)
    rows[i] = static_cast<std::uint32_t>(hash(seed_ << 32 | i) % std::max<std::size_t>(below, 1));
  if (seed_ >= kHostile && length > 0) rows[byte() % length] = static_cast<std::uint32_t>(below + byte());
  return rows;
}

std::uint64_t Source::hash(std::uint64_t x) noexcept {  // the finalizer of SplitMix64
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace posenc::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static_cast<void>(posenc::fuzz::run(posenc::fuzz::Source({data, size})));
  return 0;
}

/// Writes the seeds into the corpus folder, the first argument that is no option, once they have run.
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  using namespace posenc::fuzz;
  const std::span<char*> arguments(*argv + 1, static_cast<std::size_t>(*argc - 1));
  const auto folder = std::ranges::find_if(arguments, [](const char* argument) { return argument[0] != '-'; });
  if (folder == arguments.end() || std::filesystem::is_regular_file(*folder)) return 0;
  std::filesystem::create_directories(*folder);
  std::size_t number = 0;
  for (const auto& seed : seeds()) {
    require(run(Source(seed)) == posenc::Status::Ok, "a seed is a call that succeeds");
    std::ofstream file(std::filesystem::path(*folder) / ("seed-" + std::to_string(number++)), std::ios::binary);
    file.write(reinterpret_cast<const char*>(seed.data()), static_cast<std::streamsize>(seed.size()));
  }
  return 0;
}
