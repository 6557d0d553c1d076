// SPDX-License-Identifier: MIT
#include "unit/tools/sweepctl/match_file_writer.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>
#include <vector>

namespace sweepd::tools {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

/// Lengths are in subunits in the contract, and in units in a file.
const std::set<std::string> kLengths = {"tolerance_max",
                                        "claim_tolerance_max",
                                        "speed_max",
                                        "sector_size",
                                        "pixel_size",
                                        "min_x",
                                        "min_y",
                                        "max_x",
                                        "max_y",
                                        "distance_max",
                                        "selection_size_max",
                                        "acceleration_max"};

std::string quotes(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string list_of(const std::vector<std::string>& values) {
  std::string out = "[";
  for (const std::string& value : values) out += value + ", ";
  return out + "]";
}

/// "realtime" of CLOCK_KIND_REALTIME: what is common to all enumerators is left out.
std::string word(const google::protobuf::EnumDescriptor& kinds, int number) {
  static constexpr std::string_view kUnspecified = "UNSPECIFIED";
  const std::size_t prefix = kinds.value(0)->name().size() - kUnspecified.size();
  std::string name = kinds.FindValueByNumber(number)->name().substr(prefix);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  return quotes(name);
}

std::string number(const FieldDescriptor& field, std::int64_t value) {
  if (!kLengths.contains(field.name())) return std::to_string(value);
  std::ostringstream out;
  out.precision(17);
  out << static_cast<double>(value) / 256;
  return out.str();
}

/// Of a field that is no message and no list.
std::string value_of(const Message& message, const FieldDescriptor& field) {
  const Reflection& from = *message.GetReflection();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return from.GetBool(message, &field) ? "true" : "false";
    case FieldDescriptor::CPPTYPE_ENUM:
      return word(*field.enum_type(), from.GetEnumValue(message, &field));
    case FieldDescriptor::CPPTYPE_STRING:
      return quotes(from.GetString(message, &field));
    case FieldDescriptor::CPPTYPE_INT32:
      return number(field, from.GetInt32(message, &field));
    case FieldDescriptor::CPPTYPE_UINT32:
      return number(field, from.GetUInt32(message, &field));
    default:
      return quotes(std::to_string(from.GetUInt64(message, &field)));
  }
}

std::string entries_of(const Message& message, const FieldDescriptor& field) {
  const Reflection& from = *message.GetReflection();
  std::vector<std::string> values;
  for (int i = 0; i < from.FieldSize(message, &field); ++i) {
    values.push_back(field.enum_type() != nullptr
                         ? word(*field.enum_type(), from.GetRepeatedEnumValue(message, &field, i))
                         : quotes(from.GetRepeatedString(message, &field, i)));
  }
  return list_of(values);
}

/// A message that is there to tell an empty list from none.
bool is_list(const FieldDescriptor& field) {
  const google::protobuf::Descriptor* message = field.message_type();
  return message != nullptr && message->field_count() == 1 && message->field(0)->is_repeated();
}

void write_values(const Message& message, std::ostream& out) {
  const Reflection& from = *message.GetReflection();
  for (int i = 0; i < message.GetDescriptor()->field_count(); ++i) {
    const FieldDescriptor& field = *message.GetDescriptor()->field(i);
    if (field.has_presence() && !from.HasField(message, &field)) continue;
    if (field.message_type() == v1::TemplateShape::descriptor()) continue;  // See write_template.
    if (field.message_type() == nullptr) {
      out << field.name() << " = "
          << (field.is_repeated() ? entries_of(message, field) : value_of(message, field)) << "\n";
    } else if (is_list(field)) {
      const Message& list = from.GetMessage(message, &field);
      out << field.name() << " = " << entries_of(list, *list.GetDescriptor()->field(0)) << "\n";
    }
  }
}

std::string units(std::initializer_list<std::int32_t> subunits) {
  std::ostringstream out;
  out.precision(17);
  for (const std::int32_t value : subunits) out << (out.tellp() > 0 ? ", " : "[") << value / 256.0;
  return out.str() + "]";
}

std::string shape_of(const v1::Part& part) {
  if (part.has_box()) {
    const v1::Box& box = part.box();
    return "box = " + units({box.min_x(), box.min_y(), box.max_x(), box.max_y()});
  }
  if (part.has_circle())
    return "circle = " + units({part.circle().center_x(), part.circle().center_y(), part.circle().radius()});
  if (part.has_capsule()) {
    const v1::Capsule& line = part.capsule();
    return "capsule = " + units({line.a_x(), line.a_y(), line.b_x(), line.b_y(), line.radius()});
  }
  return "mask = {mask = " + std::to_string(part.mask().mask()) +
         ", corner = " + units({part.mask().x(), part.mask().y()}) + "}";
}

void write_template(const v1::ObjectTemplate& kind, const v1::MatchConfig& config, std::ostream& out) {
  out << "shapes = [\n";
  for (const v1::TemplateShape& shape : kind.shapes()) {
    out << "  {parts = [";
    for (const v1::Part& part : shape.parts())
      out << "{layer = " << quotes(config.layers(static_cast<int>(part.layer()))) << ", " << shape_of(part)
          << "}, ";
    out << "]},\n";
  }
  out << "]\n";
  if (!kind.has_spawn()) return;
  out << "[templates.spawn]\n";
  write_values(kind.spawn(), out);
  const auto write_box = [&out](bool is_given, const char* name, const v1::Box& box) {
    if (!is_given) return;
    out << "[templates.spawn." << name << "]\n";
    write_values(box, out);
  };
  write_box(kind.spawn().has_region(), "region", kind.spawn().region());
  write_box(kind.spawn().has_velocity(), "velocity", kind.spawn().velocity());
}

void write_tables(const v1::MatchConfig& config, std::ostream& out) {
  const Reflection& from = *config.GetReflection();
  for (int i = 0; i < config.GetDescriptor()->field_count(); ++i) {
    const FieldDescriptor& field = *config.GetDescriptor()->field(i);
    const bool is_other = field.name() == "collides" || field.name() == "masks";
    if (field.message_type() == nullptr || is_list(field) || is_other) continue;
    if (!field.is_repeated() && !from.HasField(config, &field)) continue;
    const int count = field.is_repeated() ? from.FieldSize(config, &field) : 1;
    for (int entry = 0; entry < count; ++entry) {
      out << (field.is_repeated() ? "[[" + field.name() + "]]\n" : "[" + field.name() + "]\n");
      write_values(field.is_repeated() ? from.GetRepeatedMessage(config, &field, entry)
                                       : from.GetMessage(config, &field),
                   out);
      if (field.message_type() == v1::ObjectTemplate::descriptor())
        write_template(config.templates(entry), config, out);
    }
  }
}

void write_matrix(const v1::MatchConfig& config, std::ostream& out) {
  // A layer has one row: only its own row may have its pairs, in any order of the config.
  out << "[collides]\n";
  for (const std::string& layer : config.layers()) {
    std::vector<std::string> others;
    for (const v1::CollidingLayers& pair : config.collides()) {
      if (pair.layer_a() == layer) others.push_back(quotes(pair.layer_b()));
    }
    if (!others.empty()) out << quotes(layer) << " = " << list_of(others) << "\n";
  }
  for (v1::CollidingLayers pair : config.collides()) {
    std::ostringstream rules;
    write_values(pair, rules);
    const std::string text = rules.str();  // Begins with the two layers.
    out << "[[contacts]]\nlayers = " << list_of({quotes(pair.layer_b()), quotes(pair.layer_a())}) << "\n"
        << text.substr(text.find('\n', text.find('\n') + 1) + 1);
  }
}

void write_masks(const v1::MatchConfig& config, std::ostream& out) {
  for (const v1::BitMask& mask : config.masks()) {
    out << "[[masks]]\npixel_size = " << value_of(mask, *mask.GetDescriptor()->FindFieldByName("pixel_size"))
        << "\nrows = [";
    const std::uint32_t row_bytes = (mask.width() + 7) / 8;
    for (std::uint32_t y = 0; y < mask.height(); ++y) {
      out << "\n  '";
      for (std::uint32_t x = 0; x < mask.width(); ++x)
        out << ((mask.rows()[y * row_bytes + x / 8] >> x % 8 & 1) != 0 ? '#' : '.');
      out << "',";
    }
    out << "]\n";
  }
}

}  // namespace

std::string match_file_of(const v1::MatchConfig& config) {
  std::ostringstream out;
  write_values(config, out);
  write_tables(config, out);
  write_matrix(config, out);
  write_masks(config, out);
  return out.str();
}

}  // namespace sweepd::tools
