// SPDX-License-Identifier: MIT
#include "match/frame_codec.h"

#include <concepts>
#include <tuple>
#include <type_traits>
#include <utility>

#include "base/byte_list.h"
#include "collision/value_codec.h"

namespace sweepd::match {
namespace {

using base::ByteReader;
using base::ByteWriter;

template <typename T, typename... Values>
concept Either = (std::same_as<std::remove_const_t<T>, Values> || ...);

// What is written and read of each type, in this order. All members are named, so that a new one does not
// compile until it has been decided about.

template <Either<Reshape, Move, MotionChange, Disable, Selection> T>
auto fields_of(T& value) {
  auto& [first, second] = value;
  return std::tie(first, second);
}

template <Either<LayerChange, Transfer> T>
auto fields_of(T& value) {
  auto& [first, second, third] = value;
  return std::tie(first, second, third);
}

template <Either<HitClaim> T>
auto fields_of(T& claim) {
  auto& [number, shot, target, shot_part, target_part, tick_seen, tolerance] = claim;
  return std::tie(number, shot, target, shot_part, target_part, tick_seen, tolerance);
}

template <Either<AppMessage> T>
auto fields_of(T& message) {
  auto& [to, number, bytes] = message;
  return std::tie(to, number, bytes);
}

/// Not in the order in which they apply: there are snapshots in this one. The last of the first part is
/// bounded by what comes before it. Between the second and the third stand scroll and messages: see
/// kHasScroll.
template <Either<Frame> T>
auto parts_of(T& frame) {
  auto& [tick, acknowledged_tick, spawns, reshapes, layer_changes, moves, relative_moves, teleports, motions,
         freezes, releases, disables, enables, transfers, despawns, mass_despawns, scroll, claims, messages,
         delay_ticks, arrival_tick] = frame;
  return std::tuple(std::tie(tick, acknowledged_tick, spawns, reshapes, layer_changes, motions, disables,
                             moves, relative_moves),
                    std::tie(teleports, freezes, releases, enables, transfers, despawns, mass_despawns),
                    std::tie(claims, delay_ticks, arrival_tick));
}

// A byte says which of the two follow. Before there were messages it was whether there is a scroll.
constexpr std::uint8_t kHasScroll = 1;
constexpr std::uint8_t kHasMessages = 2;

class ValueWriter {
 public:
  explicit ValueWriter(ByteWriter& writer) : writer_(writer) {}

  void write(bool value) { writer_.boolean(value); }
  void write(const std::string& text) { writer_.text(text); }
  void write(AppMessage::To to) { writer_.byte(static_cast<std::uint8_t>(to)); }
  void write(std::uint32_t number) { writer_.number(number); }
  void write(std::uint64_t number) { writer_.number(number); }
  void write(collision::Point point) { collision::write(writer_, point); }
  void write(const collision::Box& box) { collision::write(writer_, box); }
  void write(const collision::Motion& motion) { collision::write(writer_, motion); }
  void write(const std::vector<collision::Part>& parts) { collision::write(writer_, parts); }
  void write(const collision::ObjectSpec& spec) { collision::write(writer_, spec); }

  template <typename T>
  void write(const std::optional<T>& value) {
    writer_.boolean(value.has_value());
    if (value) write(*value);
  }

  template <typename T>
  void write(const std::vector<T>& list) {
    base::write_list(writer_, list, [this](const T& value) { write(value); });
  }

  template <typename T>
  void write(const T& value) {
    write(fields_of(value));
  }

  template <typename... T>
  void write(const std::tuple<T&...>& fields) {
    std::apply([&](const auto&... field) { (write(field), ...); }, fields);
  }

 private:
  ByteWriter& writer_;
};

/// The least that a value takes: what one with nothing in it takes.
template <typename T>
std::size_t bytes_min() {
  ByteWriter writer;
  ValueWriter(writer).write(T());
  return writer.size();
}

template <>
std::size_t bytes_min<collision::ObjectSpec>() {
  return collision::kSpecBytesMin;
}

class ValueReader {
 public:
  explicit ValueReader(ByteReader& reader) : reader_(reader) {}

  void read(bool& value) { value = reader_.boolean(); }
  void read(std::string& text) { text = reader_.text(AppMessage::kBytesMax); }
  void read(AppMessage::To& to) {
    const std::uint8_t number = reader_.byte();
    reader_.require(number <= static_cast<std::uint8_t>(AppMessage::To::kRole),
                    "is a kind of receiver that is none");
    to = static_cast<AppMessage::To>(number);
  }
  void read(std::uint32_t& number) { number = reader_.number32(); }
  void read(std::uint64_t& number) { number = reader_.number(); }
  void read(collision::Point& point) { point = collision::read_point(reader_); }
  void read(collision::Box& box) { box = collision::read_box(reader_); }
  void read(collision::Motion& motion) { motion = collision::read_motion(reader_); }
  void read(std::vector<collision::Part>& parts) {
    parts = collision::read_parts(reader_, reader_.remaining());
  }
  void read(collision::ObjectSpec& spec) { spec = collision::read_spec(reader_); }

  template <typename T>
  void read(std::optional<T>& value) {
    if (reader_.boolean()) read(value.emplace());
  }

  template <typename T>
  void read(std::vector<T>& list) {
    list = base::read_list<T>(reader_, bytes_min<T>(), [this] {
      T value;
      read(value);
      return value;
    });
  }

  template <typename T>
  void read(T& value) {
    read(fields_of(value));
  }

  template <typename... T>
  void read(const std::tuple<T&...>& fields) {
    std::apply([&](auto&... field) { (read(field), ...); }, fields);
  }

 private:
  ByteReader& reader_;
};

}  // namespace

void write(ByteWriter& writer, const Frame& frame) {
  const auto parts = parts_of(frame);
  ValueWriter values(writer);
  values.write(std::get<0>(parts));
  values.write(std::get<1>(parts));
  writer.byte(static_cast<std::uint8_t>((frame.scroll ? kHasScroll : 0u) |
                                        (frame.messages.empty() ? 0u : kHasMessages)));
  if (frame.scroll) values.write(*frame.scroll);
  if (!frame.messages.empty()) values.write(frame.messages);
  values.write(std::get<2>(parts));
}

Frame read_frame(ByteReader& reader) {
  Frame frame;
  const auto parts = parts_of(frame);
  ValueReader values(reader);
  values.read(std::get<0>(parts));
  reader.require(frame.relative_moves <= frame.moves.size(), "is a number larger than it can be");
  values.read(std::get<1>(parts));
  const std::uint8_t traits = reader.byte();
  reader.require(traits <= (kHasScroll | kHasMessages), "has what is not known");
  if ((traits & kHasScroll) != 0) values.read(frame.scroll.emplace());
  if ((traits & kHasMessages) != 0) values.read(frame.messages);
  reader.require((traits & kHasMessages) == 0 || !frame.messages.empty(), "are messages that are none");
  values.read(std::get<2>(parts));
  return frame;
}

}  // namespace sweepd::match
