// SPDX-License-Identifier: MIT
#include "property/random_message.h"

#include <array>
#include <limits>
#include <string>

namespace sweepd::property {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

class Filler {
 public:
  Filler(std::uint32_t first_id, const Choose& choose) : first_id_(first_id), choose_(choose) {}

  void fill(Message& message) {
    const auto& descriptor = *message.GetDescriptor();
    const int rows = static_cast<int>(choose_(3));
    for (int i = 0; i < descriptor.oneof_decl_count(); ++i) {
      const auto& oneof = *descriptor.oneof_decl(i);
      const auto fields = static_cast<std::uint64_t>(oneof.field_count());
      const FieldDescriptor& field = *oneof.field(static_cast<int>(choose_(fields)));
      if (chance(90)) set(message, field);
    }
    for (int i = 0; i < descriptor.field_count(); ++i) {
      const FieldDescriptor& field = *descriptor.field(i);
      if (field.containing_oneof() != nullptr) continue;
      if (field.is_repeated()) {
        for (int row = 0; row < rows; ++row) add(message, field);
      } else if (chance(60)) {
        set(message, field);
      }
    }
  }

 private:
  static bool names(const FieldDescriptor& field, const char* word) {
    return field.name().find(word) != std::string::npos;
  }

  bool chance(std::uint64_t percent) { return choose_(100) < percent; }

  std::uint64_t number(const FieldDescriptor& field) {
    const bool is_id = names(field, "object") || names(field, "shot") || names(field, "target") ||
                       names(field, "enables") || names(field, "despawns");
    if (is_id && chance(90)) return first_id_ + choose_(8);
    if (names(field, "id_delta")) return choose_(12) - 3;
    if (names(field, "tick") && chance(80)) return choose_(3);
    if (names(field, "layer") && chance(70)) return choose_(3);
    static constexpr std::array<std::int64_t, 12> kNumbers{0,
                                                           1,
                                                           -1,
                                                           2,
                                                           7,
                                                           256,
                                                           -256,
                                                           std::numeric_limits<std::int32_t>::min(),
                                                           std::numeric_limits<std::int32_t>::min() + 1,
                                                           std::numeric_limits<std::int32_t>::max(),
                                                           std::numeric_limits<std::int32_t>::max() - 1,
                                                           std::numeric_limits<std::uint32_t>::max()};
    if (chance(95)) return static_cast<std::uint64_t>(kNumbers[choose_(kNumbers.size())]);
    return choose_(std::numeric_limits<std::uint64_t>::max());
  }

  void set(Message& message, const FieldDescriptor& field) {
    const Reflection& reflection = *message.GetReflection();
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_INT32:
        return reflection.SetInt32(&message, &field, static_cast<std::int32_t>(number(field)));
      case FieldDescriptor::CPPTYPE_INT64:
        return reflection.SetInt64(&message, &field, static_cast<std::int64_t>(number(field)));
      case FieldDescriptor::CPPTYPE_UINT32:
        return reflection.SetUInt32(&message, &field, static_cast<std::uint32_t>(number(field)));
      case FieldDescriptor::CPPTYPE_UINT64:
        return reflection.SetUInt64(&message, &field, number(field));
      case FieldDescriptor::CPPTYPE_BOOL:
        return reflection.SetBool(&message, &field, chance(50));
      case FieldDescriptor::CPPTYPE_ENUM:
        return reflection.SetEnumValue(&message, &field, static_cast<int>(choose_(11)) - 1);
      case FieldDescriptor::CPPTYPE_MESSAGE:
        return fill(*reflection.MutableMessage(&message, &field));
      default:
        return;
    }
  }

  void add(Message& message, const FieldDescriptor& field) {
    const Reflection& reflection = *message.GetReflection();
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_INT32:
        return reflection.AddInt32(&message, &field, static_cast<std::int32_t>(number(field)));
      case FieldDescriptor::CPPTYPE_INT64:
        return reflection.AddInt64(&message, &field, static_cast<std::int64_t>(number(field)));
      case FieldDescriptor::CPPTYPE_UINT32:
        return reflection.AddUInt32(&message, &field, static_cast<std::uint32_t>(number(field)));
      case FieldDescriptor::CPPTYPE_UINT64:
        return reflection.AddUInt64(&message, &field, number(field));
      case FieldDescriptor::CPPTYPE_MESSAGE:
        return fill(*reflection.AddMessage(&message, &field));
      default:
        return;
    }
  }

  std::uint32_t first_id_;
  const Choose& choose_;
};

}  // namespace

void fill_randomly(Message& message, std::uint32_t first_id, const Choose& choose) {
  Filler(first_id, choose).fill(message);
}

}  // namespace sweepd::property
