// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sweepd::runtime {

/// What the failure of a part means for the use of the server.
enum class Impact : std::uint8_t {
  kDegraded,  ///< Clients are served. Told by /healthz and the part's own service.
  kNotReady,  ///< Clients are not served, or not all of them: a load balancer sends new ones elsewhere.
  kNotAlive,  ///< It does not end by itself: the process should be restarted.
};

/// How a part of the server is. The server goes on either way.
struct ComponentHealth {
  std::string name = {};
  std::string failure = {};                          ///< What is wrong, for people; empty: nothing is.
  Impact impact = Impact::kDegraded;                 ///< Of the failure, where there is one.
  std::chrono::system_clock::time_point since = {};  ///< When it became well or began to fail.

  bool is_ok() const { return failure.empty(); }
  /// Whether it fails, and so that it means this or worse.
  bool fails_as(Impact least) const { return !is_ok() && impact >= least; }
};

/// How the parts of the server are. A part tells when that changes; others ask, or are told. Thread-safe.
class Health {
 public:
  using WallClock = std::function<std::chrono::system_clock::time_point()>;
  using OnChange = std::function<void(const ComponentHealth&)>;

  /// Told of changes as long as it is there; its end waits for a call that is under way.
  class Watch {
   public:
    Watch() = default;
    Watch(Watch&& other) noexcept;
    Watch& operator=(Watch&& other) noexcept;
    ~Watch();

   private:
    friend class Health;
    Watch(Health& health, std::uint64_t number) : health_(&health), number_(number) {}
    Health* health_ = nullptr;
    std::uint64_t number_ = 0;
  };

  explicit Health(WallClock clock = std::chrono::system_clock::now);
  ~Health();
  Health(const Health&) = delete;
  Health& operator=(const Health&) = delete;

  /// A name that is new becomes known. Telling the same again is no change; another failure than the one
  /// before is one, but the component has been failing since the first.
  void set_ok(const std::string& name);
  void set_failing(const std::string& name, const std::string& failure, Impact impact = Impact::kDegraded);

  /// Whether no part fails so that clients are not served.
  bool is_ready() const;
  std::optional<ComponentHealth> find(const std::string& name) const;
  /// By name.
  std::vector<ComponentHealth> components() const;

  /// `on_change` is called with every change, in their order, on the thread that makes it. It may ask how the
  /// components are, but neither change that nor end a watch.
  [[nodiscard]] Watch watch(OnChange on_change);

 private:
  void set(const std::string& name, const std::string& failure, Impact impact);
  std::optional<ComponentHealth> change(const std::string& name, const std::string& failure, Impact impact);
  void end_watch(std::uint64_t number);

  const WallClock clock_;
  std::mutex telling_;  ///< Of the watches, and for as long as they are told. Taken before the other.
  std::map<std::uint64_t, OnChange> watches_;
  std::uint64_t next_watch_ = 1;
  mutable std::mutex mutex_;  ///< Of the components.
  std::map<std::string, ComponentHealth> components_;
};

}  // namespace sweepd::runtime
