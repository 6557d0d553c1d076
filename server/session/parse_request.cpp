// SPDX-License-Identifier: MIT
#include "session/parse_request.h"

#include <google/protobuf/descriptor.h>

#include <string>
#include <vector>

#include "base/visible_text.h"

namespace sweepd::session {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

constexpr int kNotRepeated = -1;

/// Of the first text in `message` that is not UTF-8; empty: there is none. Protobuf has put it there before
/// it looked at it.
std::string bad_text_path(const Message& message);

std::string bad_text_path(const Message& message, const FieldDescriptor& field, int index) {
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  std::string name = field.name();
  if (index != kNotRepeated) name.append("[").append(std::to_string(index)).append("]");
  if (field.type() == FieldDescriptor::TYPE_STRING) {
    const std::string text = index == kNotRepeated ? reflection.GetString(message, &field)
                                                   : reflection.GetRepeatedString(message, &field, index);
    return base::is_utf8(text) ? std::string() : name;
  }
  const Message& inner = index == kNotRepeated ? reflection.GetMessage(message, &field)
                                               : reflection.GetRepeatedMessage(message, &field, index);
  const std::string path = bad_text_path(inner);
  if (path.empty()) return path;
  return name.append(".").append(path);
}

std::string bad_text_path(const Message& message) {
  std::vector<const FieldDescriptor*> fields;
  message.GetReflection()->ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    const bool is_message = field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
    if (!is_message && field->type() != FieldDescriptor::TYPE_STRING) continue;
    const int size = field->is_repeated() ? message.GetReflection()->FieldSize(message, field) : 1;
    for (int index = 0; index < size; ++index) {
      std::string path = bad_text_path(message, *field, field->is_repeated() ? index : kNotRepeated);
      if (!path.empty()) return path;
    }
  }
  return {};
}

}  // namespace

match::FieldError parse_fault(const Message& message) {
  std::string path = bad_text_path(message);
  if (!path.empty()) return {std::move(path), "is not UTF-8"};
  return {"message", "the bytes are no " + message.GetDescriptor()->name()};
}

std::optional<match::FieldError> parse_request(MessageBytes& bytes, Message& message) {
  if (bytes.read_into(message)) return std::nullopt;
  return parse_fault(message);
}

}  // namespace sweepd::session
