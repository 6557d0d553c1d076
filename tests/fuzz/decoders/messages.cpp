// SPDX-License-Identifier: MIT
#include "fuzz/decoders/messages.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>

#include <charconv>
#include <string>

namespace sweepd::fuzz {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

/// Takes the index off the beginning of a path. False: what is in brackets is none.
bool take_index(std::string_view& path, std::optional<int>& index) {
  if (!path.starts_with('[')) return true;
  const std::size_t end = path.find(']');
  if (end == std::string_view::npos) return false;
  int number = 0;
  const auto [next, error] = std::from_chars(path.data() + 1, path.data() + end, number);
  if (error != std::errc{} || next != path.data() + end) return false;
  index = number;
  path.remove_prefix(end + 1);
  return true;
}

bool is_there(const Message& message, const FieldDescriptor& field, std::optional<int> index) {
  if (!index) return true;
  return field.is_repeated() && *index >= 0 && *index < message.GetReflection()->FieldSize(message, &field);
}

}  // namespace

bool names_field(const Message& message, std::string_view path) {
  const std::string name(path.substr(0, path.find_first_of(".[")));
  const FieldDescriptor* field = message.GetDescriptor()->FindFieldByName(name);
  if (field == nullptr) return false;
  path.remove_prefix(name.size());
  std::optional<int> index;
  if (!take_index(path, index) || !is_there(message, *field, index)) return false;
  if (path.empty()) return true;
  const bool goes_on = path.starts_with('.') && field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE &&
                       field->is_repeated() == index.has_value();
  if (!goes_on) return false;
  const auto& reflection = *message.GetReflection();
  return names_field(
      index ? reflection.GetRepeatedMessage(message, field, *index) : reflection.GetMessage(message, field),
      path.substr(1));
}

bool is_json(std::string_view text) {
  google::protobuf::Value value;
  return google::protobuf::util::JsonStringToMessage(std::string(text), &value).ok();
}

}  // namespace sweepd::fuzz
