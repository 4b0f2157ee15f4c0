#pragma once

namespace posenc {

/// What a call of the core can report. Anything but Ok leaves every output as it was.
enum class Status {
  Ok,
  WrongLength,   // a span does not have the number of elements that the shape asks for
  BadShape,      // a size is zero, does not divide another one, or a product of sizes overflows
  OddDimension,  // a rotary width is odd
  OutOfRange,    // a position, distance or row lies outside what the call can represent
  NotFinite,     // a frequency, scale or factor is NaN or infinite
};

}  // namespace posenc
