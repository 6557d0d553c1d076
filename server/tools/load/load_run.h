// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "sweepd/client.h"
#include "tools/load/load_match.h"
#include "tools/load/load_options.h"
#include "tools/load/load_result.h"
#include "tools/load/load_worker.h"
#include "tools/load/playbook.h"
#include "tools/load/process_meter.h"

namespace sweepd::tools::load {

/// A load test: creates matches on a server, plays them for a while, measures, and ends them again, whatever
/// happens.
class LoadRun {
 public:
  /// `should_stop` is asked all the time: the run ends early with what it has. `on_progress` is given a line
  /// for people, every second.
  LoadRun(const LoadOptions& options, std::function<bool()> should_stop,
          std::function<void(const std::string&)> on_progress);
  ~LoadRun();
  LoadRun(const LoadRun&) = delete;
  LoadRun& operator=(const LoadRun&) = delete;

  /// Once.
  Result<LoadResult> run();

  /// Breaks all streams off and ends the matches; the destructor does, too, if it has not been called. How
  /// many of them may still run, because the server does not answer any more: it is asked no further then.
  std::uint32_t end();

 private:
  LoadResult new_result() const;
  Result<LoadResult> search();
  Status play(std::uint32_t matches);
  Status create_matches(std::uint32_t count);
  void open_streams();
  Status wait_for_joins();
  void measure(LoadResult& result);
  void measure_with_metrics(LoadResult& result);
  void wait(std::chrono::milliseconds duration);
  Measurements take_measurements(bool are_last);
  std::vector<MatchProgress> progress();
  void add_second(LoadResult& result, const Measurements& second, double time_s) const;
  std::uint32_t end_matches();

  const LoadOptions& options_;
  const std::function<bool()> should_stop_;
  const std::function<void(const std::string&)> on_progress_;
  Playbook playbook_;
  std::optional<std::int32_t> server_pid_;
  std::uint64_t server_bytes_before_ = 0;  ///< Before the first match,
  std::uint64_t own_bytes_before_ = 0;     ///< and of this process.
  std::vector<CreatedMatch> matches_;
  std::size_t streams_opened_ = 0;  ///< Of the first so many matches.
  std::vector<std::unique_ptr<LoadWorker>> workers_;
};

}  // namespace sweepd::tools::load
