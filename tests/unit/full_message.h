// SPDX-License-Identifier: MIT
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <cstdint>
#include <string>

namespace sweepd {

/// Sets every field of a message by its descriptor, at any depth: numbers and texts each to one of their own,
/// lists to two entries, choices to one of their fields. A field that is added to the contract is covered at
/// once.
class MessageFiller {
 public:
  /// `turn`: which enumerators and choices; with as many turns as an enumeration has values, each has been
  /// taken.
  explicit MessageFiller(int turn) : turn_(turn) {}

  void fill(google::protobuf::Message& message) {
    for (int i = 0; i < message.GetDescriptor()->field_count(); ++i) {
      const FieldDescriptor& field = *message.GetDescriptor()->field(i);
      const auto* choice = field.real_containing_oneof();
      if (choice != nullptr && choice->field(turn_ % choice->field_count()) != &field) continue;
      for (int entry = 0; entry < (field.is_repeated() ? 2 : 1); ++entry) set(message, field, entry);
    }
  }

 private:
  using FieldDescriptor = google::protobuf::FieldDescriptor;

  static constexpr std::uint32_t kIndicesMax = 64;

  /// Of a layer or a mask: no config has as many as other numbers go.
  static bool is_index(const FieldDescriptor& field) {
    return field.full_name() == "sweepd.v1.Part.layer" || field.full_name() == "sweepd.v1.MaskShape.mask";
  }

  /// Not UNSPECIFIED; of a list, ascending. No limits are an observer's.
  int enumerator(const FieldDescriptor& field, int entry) const {
    const bool is_of_limits = field.containing_type()->name() == "RoleLimits";
    const int count = field.enum_type()->value_count() - (is_of_limits ? 2 : 1);
    return 1 + turn_ % (field.is_repeated() ? count - 1 : count) + entry;
  }

  void set(google::protobuf::Message& message, const FieldDescriptor& field, int entry) {
    const google::protobuf::Reflection& to = *message.GetReflection();
    const bool is_list = field.is_repeated();
    const std::uint32_t number = ++last_number_;
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_INT32:
        return to.SetInt32(&message, &field, static_cast<std::int32_t>(number));
      case FieldDescriptor::CPPTYPE_UINT32:
        return to.SetUInt32(&message, &field, is_index(field) ? number % kIndicesMax : number);
      case FieldDescriptor::CPPTYPE_UINT64:
        return to.SetUInt64(&message, &field, number);
      case FieldDescriptor::CPPTYPE_BOOL:
        return to.SetBool(&message, &field, true);
      case FieldDescriptor::CPPTYPE_ENUM:
        return is_list ? to.AddEnumValue(&message, &field, enumerator(field, entry))
                       : to.SetEnumValue(&message, &field, enumerator(field, entry));
      case FieldDescriptor::CPPTYPE_STRING:
        return is_list ? to.AddString(&message, &field, "text " + std::to_string(number))
                       : to.SetString(&message, &field, "text " + std::to_string(number));
      case FieldDescriptor::CPPTYPE_MESSAGE:
        return fill(is_list ? *to.AddMessage(&message, &field) : *to.MutableMessage(&message, &field));
      default:
        GOOGLE_LOG(FATAL) << field.full_name() << " is of a type that no config has had before";
    }
  }

  int turn_;
  std::uint32_t last_number_ = 1'000;
};

}  // namespace sweepd
