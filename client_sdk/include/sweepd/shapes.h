// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>

/// What objects are made of. Lengths are in playfield units (see types.h); every shape is relative to the
/// position of its object, and touching counts for every pair of kinds.
namespace sweepd {

struct Vec2 {
  double x = 0;
  double y = 0;
};

/// Closed edges: touching boxes overlap. Zero size is allowed; min > max is an error.
struct Box {
  double min_x = 0;
  double min_y = 0;
  double max_x = 0;
  double max_y = 0;
};

/// A box of this size around the object's position.
constexpr Box centered_box(double width, double height) {
  return {-width / 2, -height / 2, width / 2, height / 2};
}

/// A circle with its edge.
struct Circle {
  Vec2 center = {};
  double radius = 0;  ///< 0 or more; 0 is a point.
};

/// A beam at any angle: all points at most `radius` away from the straight line from `a` to `b`.
struct Capsule {
  Vec2 a = {};
  Vec2 b = {};        ///< May be the same point.
  double radius = 0;  ///< 0 or more.
};

/// The pixels of a bit mask.
struct MaskShape {
  std::uint32_t mask = 0;  ///< Index in MatchConfig::masks.
  Vec2 corner = {};        ///< The upper left corner of its first pixel.
};

/// One shape of an object, on a layer: `Part::circle({0, 0}, 2.5, bullet_layer)`.
struct Part {
  Part() = default;
  Part(const Box& box, std::uint32_t on_layer) : shape(box), layer(on_layer) {}

  static Part box(const Box& box, std::uint32_t layer) { return {box, layer}; }
  static Part circle(Vec2 center, double radius, std::uint32_t layer);
  static Part capsule(Vec2 a, Vec2 b, double radius, std::uint32_t layer);
  /// `mask`: index in MatchConfig::masks. `corner`: where its upper left corner lies.
  static Part mask(std::uint32_t mask, Vec2 corner, std::uint32_t layer);

  std::variant<Box, Circle, Capsule, MaskShape> shape = Box{};
  std::uint32_t layer = 0;
};

/// A picture of one bit a pixel, registered in MatchConfig::masks, for parts that are exact to the pixel. A
/// pixel that is set is a closed square.
class BitMask {
 public:
  static constexpr std::uint32_t kPixelsMax = 256;  ///< In a row, and rows.

  BitMask() = default;
  /// All pixels clear. `pixel_size`: units, 1/256 to 4096.
  BitMask(std::uint32_t width, std::uint32_t height, double pixel_size = 1);
  /// A row a string, from the top; '.' and ' ' are clear, anything else is set. As wide as the longest row:
  ///     BitMask::from_text({".##.", "####", ".##."})
  static BitMask from_text(std::initializer_list<std::string_view> rows, double pixel_size = 1);

  /// What lies outside is left alone.
  void set(std::uint32_t x, std::uint32_t y, bool is_set = true);
  /// What lies outside is clear.
  bool test(std::uint32_t x, std::uint32_t y) const;

  std::uint32_t width() const { return width_; }
  std::uint32_t height() const { return height_; }
  double pixel_size() const { return pixel_size_; }

  /// As they go to the server: from the top, each padded to whole bytes, leftmost pixel in the least
  /// significant bit.
  const std::string& rows() const { return rows_; }
  /// Takes the rows as they are; the server says if they are of the wrong size.
  void set_rows(std::string rows) { rows_ = std::move(rows); }

 private:
  std::size_t byte_of(std::uint32_t x, std::uint32_t y) const {
    return (std::size_t{width_} + 7) / 8 * y + x / 8;
  }
  bool contains(std::uint32_t x, std::uint32_t y) const {
    return x < width_ && y < height_ && byte_of(x, y) < rows_.size();
  }

  std::uint32_t width_ = 0;
  std::uint32_t height_ = 0;
  double pixel_size_ = 1;
  std::string rows_;
};

}  // namespace sweepd
