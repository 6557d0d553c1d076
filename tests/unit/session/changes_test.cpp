// SPDX-License-Identifier: MIT
//
// Protects: what the contract has for changes and facts of each kind is read and written. A new kind is in
// these tests by being in its table, and a new field of a frame by being in the contract.
#include <gtest/gtest.h>

#include "session/update_codec.h"
#include "unit/single_changes.h"
#include "wire/frame_codec.h"

namespace sweepd::session::changes_test {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

/// Gives every list an entry, and every message what it is made of. What is left has its default.
void fill(Message& message) {
  const auto* reflection = message.GetReflection();
  for (int i = 0; i < message.GetDescriptor()->field_count(); ++i) {
    const FieldDescriptor* field = message.GetDescriptor()->field(i);
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      fill(field->is_repeated() ? *reflection->AddMessage(&message, field)
                                : *reflection->MutableMessage(&message, field));
    } else if (field->is_repeated() && field->cpp_type() == FieldDescriptor::CPPTYPE_UINT32) {
      reflection->AddUInt32(&message, field, 1);
    } else if (field->is_repeated() && field->cpp_type() == FieldDescriptor::CPPTYPE_INT32) {
      reflection->AddInt32(&message, field, 1);
    } else if (field->is_repeated() && field->cpp_type() == FieldDescriptor::CPPTYPE_INT64) {
      reflection->AddInt64(&message, field, 1);
    }
  }
}

match::Frame decode(const v1::Frame& message) {
  wire::FrameDecoder decoder;
  wire::FrameDecoder::Undo undo;
  const auto frame = decoder.decode(message, undo);
  EXPECT_TRUE(frame.ok());
  return frame.ok() ? *frame : match::Frame();
}

TEST(ChangesOnTheWire, OfEachKindAreRead) {
  v1::Frame message;
  fill(message);
  const match::Frame frame = decode(message);
  match::for_each_kind(frame, [](auto kind, const auto& list) {
    const std::size_t fields = kind.kind == match::FrameChange::kMove ? 2 : 1;  // Relative and absolute.
    EXPECT_EQ(match::changes_in(list).size(), fields) << kind.list;
  });
}

TEST(ChangesOnTheWire, AreReadFromEveryFieldOfAFrame) {
  for (int i = 0; i < v1::Frame::descriptor()->field_count(); ++i) {
    const FieldDescriptor* field = v1::Frame::descriptor()->field(i);
    const bool is_of_changes = field->is_repeated() || field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
    if (!is_of_changes) continue;
    v1::Frame all, one;
    fill(all);
    one.GetReflection()->SwapFields(&one, &all, {field});
    EXPECT_EQ(match::count_changes(decode(one)), 1u) << field->name();
  }
}

TEST(FactsOnTheWire, OfEachKindAreWritten) {
  UpdateBuilder empty_builder;
  v1::TickUpdate empty;
  empty_builder.add({.tick = 7}, empty);
  match::TickFacts kinds;
  match::for_each_fact(
      [&](auto& of_kind) {
        of_kind.emplace_back();
        runtime::TickReport report{.tick = 7};
        match::for_each_fact([](auto& told, const auto& facts) { told = facts; }, report, kinds);
        UpdateBuilder builder;
        v1::TickUpdate update;
        builder.add(report, update);
        EXPECT_GT(update.ByteSizeLong(), empty.ByteSizeLong());
        EXPECT_GT(builder.bytes(), empty_builder.bytes());
        of_kind.clear();
      },
      kinds);
}

}  // namespace
}  // namespace sweepd::session::changes_test
