// SPDX-License-Identifier: MIT
//
// Protects the exactness of the whole chain: recorded matches, played through a live server with one
// connection per participant, must give the expected list of encounters to the letter, with every clock,
// twice on the same server.
#include <algorithm>
#include <cstdlib>

#include "integration/support/server_fixture.h"
#include "rounds.h"

namespace sweepd::test::trace_test {
namespace {

void add_traces(const std::filesystem::path& folder, std::vector<std::filesystem::path>& traces) {
  if (!std::filesystem::is_directory(folder)) return;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().string().ends_with(".trace.xz")) traces.push_back(entry.path());
  }
}

/// Our own recordings, and those in SWEEPD_TRACES or beside the checkout where they are at hand.
std::vector<std::filesystem::path> find_traces() {
  const std::filesystem::path source = required_environment("SWEEPD_SOURCE_DIR");
  std::vector<std::filesystem::path> traces;
  add_traces(source / "tests/golden/traces", traces);
  const char* more = std::getenv("SWEEPD_TRACES");
  add_traces(more != nullptr ? std::filesystem::path(more) : source.parent_path() / "shared/traces", traces);
  std::sort(traces.begin(), traces.end());
  return traces;
}

std::string name_of(const std::filesystem::path& trace) {
  const std::string name = trace.filename().string();
  return name.substr(0, name.size() - std::string_view(".trace.xz").size());
}

class Trace : public ServerTest {
 protected:
  void play(const std::filesystem::path& packed, const std::string& clock,
            const std::vector<std::string>& more_options = {}) {
    const std::filesystem::path plain = server().folder() / "plain.trace";
    const std::string unpack = "xz -dc '" + packed.string() + "' > '" + plain.string() + "'";
    ASSERT_EQ(std::system(unpack.c_str()), 0);
    const std::filesystem::path events = server().folder() / "events.txt";
    std::vector<std::string> arguments{"play", "-", "--clock", clock, "--events", events.string()};
    arguments.insert(arguments.end(), more_options.begin(), more_options.end());
    const auto run = run_sweepctl(arguments, plain);
    ASSERT_EQ(run->wait(), 0) << run->standard_error();
    const std::filesystem::path expected = packed.parent_path() / (name_of(packed) + ".events");
    EXPECT_TRUE(read_file(events) == read_file(expected))
        << name_of(packed) << " with the " << clock << " clock";
  }
};

TEST_F(Trace, EveryRecordedMatchGivesItsEventsWithEveryClockTwice) {
  constexpr const char* kClocks[] = {"manual", "realtime", "lockstep"};
  const auto traces = find_traces();
  ASSERT_GE(traces.size(), 2u) << "our own recordings are part of the checkout";
  for (const auto& trace : traces) {
    for (int round = 0; round < rounds(6); ++round) {
      const char* const clock = kClocks[round % 3];
      SCOPED_TRACE(trace.string() + " " + clock);
      ASSERT_NO_FATAL_FAILURE(play(trace, clock));
    }
  }
}

TEST_F(Trace, EveryBroadphaseGivesTheSameEvents) {
  const auto traces = find_traces();
  ASSERT_FALSE(traces.empty());
  const std::vector<std::vector<std::string>> broadphases = {
      {"--broadphase", "approach"},
      {"--broadphase", "brute"},
      {"--broadphase", "grid"},
      {"--broadphase", "grid", "--sectors", "plain", "--sector-size", "64"},
      {"--broadphase", "grid", "--sectors", "rows"},
      {"--broadphase", "grid", "--sectors", "columns", "--sector-size", "16"}};
  for (const auto& options : broadphases) {
    SCOPED_TRACE(options[1] + (options.size() > 3 ? " " + options[3] : ""));
    ASSERT_NO_FATAL_FAILURE(play(traces.front(), "manual", options));
  }
}

}  // namespace
}  // namespace sweepd::test::trace_test
