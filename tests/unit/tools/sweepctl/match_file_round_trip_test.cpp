// SPDX-License-Identifier: MIT
//
// Protects the completeness of match files: all that a config says, a file can say, and is read as it was
// meant. Configs are made, written and compared as the messages that a server would get, by their descriptor,
// so that no field can be forgotten.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <type_traits>
#include <vector>

#include "match/config.h"
#include "match_codec.h"
#include "tools/sweepctl/match_file.h"
#include "unit/tools/sweepctl/match_file_writer.h"

namespace sweepd::tools::match_file_round_trip_test {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

constexpr int kConfigs = 300;

template <typename T>
struct EntryOf : std::type_identity<T> {};
template <typename T>
struct EntryOf<std::vector<T>> : std::type_identity<T> {};

/// The ranges of numbers, by the full names of their fields in the contract.
class Ranges {
 public:
  Ranges() { add<match::MatchConfig>(*v1::MatchConfig::descriptor()); }

  match::Range of(const FieldDescriptor& field) const {
    const auto found = ranges_.find(&field);
    return found == ranges_.end() ? match::Range{0, 0xffffffff} : found->second;
  }

 private:
  template <typename Struct>
  void add(const google::protobuf::Descriptor& message) {
    for_each_field(std::type_identity<Struct>(), [&](const auto& row) {
      using Entry = typename EntryOf<std::remove_cvref_t<decltype(Struct().*row.member)>>::type;
      const FieldDescriptor* field = message.FindFieldByName(row.name);
      if (row.range) ranges_[field] = *row.range;
      if constexpr (requires { for_each_field(std::type_identity<Entry>(), [](const auto&) {}); })
        add<Entry>(*field->message_type());
    });
  }

  std::map<const FieldDescriptor*, match::Range> ranges_;
};

class RandomConfig {
 public:
  explicit RandomConfig(std::uint64_t seed) : engine_(seed) {}

  v1::MatchConfig make() {
    v1::MatchConfig config;
    add_layers(config);
    fill(config);
    return config;
  }

 private:
  std::int64_t number(std::int64_t min, std::int64_t max) {
    return std::uniform_int_distribution<std::int64_t>(min, max)(engine_);
  }
  bool flag() { return number(0, 1) == 1; }
  const std::string& any_layer() {
    return layers_[static_cast<std::size_t>(number(0, std::ssize(layers_) - 1))];
  }

  void add_layers(v1::MatchConfig& config) {
    const char* const kOdd[] = {"a b", "\"quoted\"", "back\\slash", "größe", "a.b"};
    const auto count = number(1, 8);
    for (int i = 0; i < count; ++i) layers_.push_back(kOdd[number(0, 4)] + std::to_string(i));
    config.mutable_layers()->Add(layers_.begin(), layers_.end());
    // A file has the pairs by their first layers.
    for (int a = 0; a < count; ++a) {
      for (int b = a; b < count; ++b) {
        if (flag()) continue;
        v1::CollidingLayers& pair = *config.add_collides();
        fill(pair);
        pair.set_layer_a(layers_[static_cast<std::size_t>(a)]);
        pair.set_layer_b(layers_[static_cast<std::size_t>(b)]);
      }
    }
  }

  static void order(v1::Box& box) {
    const auto [min_x, max_x] = std::minmax({box.min_x(), box.max_x()});
    const auto [min_y, max_y] = std::minmax({box.min_y(), box.max_y()});
    box.set_min_x(min_x);
    box.set_max_x(max_x);
    box.set_min_y(min_y);
    box.set_max_y(max_y);
  }

  void fill(v1::BitMask& mask) {
    mask.set_width(static_cast<std::uint32_t>(number(1, 20)));
    mask.set_height(static_cast<std::uint32_t>(number(1, 20)));
    mask.set_pixel_size(static_cast<std::uint32_t>(number(1, 1 << 20)));
    for (std::uint32_t y = 0; y < mask.height(); ++y) {
      std::uint32_t row = static_cast<std::uint32_t>(number(1, 1 << 20)) & ((1u << mask.width()) - 1);
      for (std::uint32_t x = 0; x < mask.width(); x += 8, row >>= 8)
        *mask.mutable_rows() += static_cast<char>(row);
    }
  }

  std::int32_t length() { return static_cast<std::int32_t>(number(-10'000, 10'000)); }

  void fill(v1::Part& part) {
    part.set_layer(static_cast<std::uint32_t>(number(0, std::ssize(layers_) - 1)));
    switch (number(1, 4)) {
      case 1:
        part.mutable_box()->set_min_x(length());
        part.mutable_box()->set_max_y(length());
        return order(*part.mutable_box());
      case 2:
        part.mutable_circle()->set_center_y(length());
        part.mutable_circle()->set_radius(static_cast<std::int32_t>(number(0, 999)));
        return;
      case 3:
        part.mutable_capsule()->set_a_x(length());
        part.mutable_capsule()->set_b_y(length());
        part.mutable_capsule()->set_radius(static_cast<std::int32_t>(number(0, 999)));
        return;
      default:
        part.mutable_mask()->set_mask(static_cast<std::uint32_t>(number(0, 255)));
        part.mutable_mask()->set_x(length());
        part.mutable_mask()->set_y(length());
    }
  }

  void fill(Message& message) {
    if (message.GetDescriptor() == v1::Part::descriptor()) return fill(static_cast<v1::Part&>(message));
    if (message.GetDescriptor() == v1::BitMask::descriptor()) return fill(static_cast<v1::BitMask&>(message));
    for (int i = 0; i < message.GetDescriptor()->field_count(); ++i) {
      const FieldDescriptor& field = *message.GetDescriptor()->field(i);
      const bool is_made = message.GetDescriptor() == v1::MatchConfig::descriptor() &&
                           (field.name() == "layers" || field.name() == "collides");
      if (is_made || (field.has_presence() && flag())) continue;
      for (auto entries = field.is_repeated() ? number(0, 3) : 1; entries > 0; --entries) set(message, field);
    }
    if (message.GetDescriptor() == v1::Box::descriptor()) order(static_cast<v1::Box&>(message));
  }

  void set(Message& message, const FieldDescriptor& field) {
    const Reflection& to = *message.GetReflection();
    const bool is_list = field.is_repeated();
    const match::Range range = ranges_.of(field);
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_INT32:
        return to.SetInt32(&message, &field, static_cast<std::int32_t>(number(range.min, range.max)));
      case FieldDescriptor::CPPTYPE_UINT32:
        return to.SetUInt32(&message, &field, static_cast<std::uint32_t>(number(range.min, range.max)));
      case FieldDescriptor::CPPTYPE_UINT64:
        return to.SetUInt64(&message, &field, engine_());
      case FieldDescriptor::CPPTYPE_BOOL:
        return to.SetBool(&message, &field, flag());
      case FieldDescriptor::CPPTYPE_ENUM:
        return is_list ? to.AddEnumValue(&message, &field, enumerator(field))
                       : to.SetEnumValue(&message, &field, enumerator(field));
      case FieldDescriptor::CPPTYPE_STRING: {
        const bool is_layer = field.full_name().find("ayer") != std::string::npos;
        const std::string text = is_layer ? any_layer() : "text " + std::to_string(engine_());
        return is_list ? to.AddString(&message, &field, text) : to.SetString(&message, &field, text);
      }
      default:
        return fill(is_list ? *to.AddMessage(&message, &field) : *to.MutableMessage(&message, &field));
    }
  }

  /// Nothing scores by the end of a match.
  int enumerator(const FieldDescriptor& field) {
    const auto last = field.enum_type()->value_count() - 1;
    const int value = static_cast<int>(number(1, last));
    const bool is_end =
        field.enum_type() == v1::ExitReason_descriptor() && value == v1::EXIT_REASON_MATCH_ENDED;
    return is_end ? v1::EXIT_REASON_MOVED : value;
  }

  inline static const Ranges ranges_;
  std::mt19937_64 engine_;
  std::vector<std::string> layers_;
};

v1::MatchConfig message_of(const MatchConfig& config) {
  v1::MatchConfig message;
  const auto error = internal::encode(config, &message);
  EXPECT_FALSE(error) << error->field << " " << error->what;
  return message;
}

/// As a client would send it.
v1::MatchConfig random_config(std::uint64_t seed) {
  return message_of(internal::decode(RandomConfig(seed).make()));
}

TEST(MatchFileRoundTrip, ReadsWhatARandomConfigIsInAFile) {
  for (std::uint64_t seed = 1; seed <= kConfigs; ++seed) {
    const v1::MatchConfig config = random_config(seed);
    const std::string text = match_file_of(config);
    const MatchFile file = parse_match_file(text, "random.toml");
    ASSERT_TRUE(file.errors.empty()) << "seed " << seed << ": " << file.errors.front() << "\n" << text;
    ASSERT_EQ(message_of(file.config).DebugString(), config.DebugString()) << "seed " << seed << "\n" << text;
  }
}

}  // namespace
}  // namespace sweepd::tools::match_file_round_trip_test
