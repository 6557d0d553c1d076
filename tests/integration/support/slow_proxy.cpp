// SPDX-License-Identifier: MIT
#include "integration/support/slow_proxy.h"

#include <algorithm>
#include <array>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <deque>
#include <functional>
#include <memory>

namespace sweepd::test {

using boost::asio::ip::tcp;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

/// Bytes from one socket to the other, in their order.
class SlowProxy::Way {
 public:
  Way(SlowProxy& proxy, tcp::socket& from, tcp::socket& to)
      : proxy_(proxy), from_(from), to_(to), timer_(proxy.acceptor_.context()) {}

  /// `owner` lives as long as anything is under way.
  void start(const std::shared_ptr<void>& owner, std::function<void()> on_error) {
    on_error_ = std::move(on_error);
    read(owner);
  }

 private:
  struct Chunk {
    Clock::time_point due;
    std::string bytes;
  };
  static constexpr std::size_t kChunksMax = 4096;  ///< Then nothing is read for a while.

  void read(const std::shared_ptr<void>& owner) {
    is_reading_ = true;
    from_.async_read_some(
        boost::asio::buffer(buffer_), [this, owner](const error_code& error, std::size_t size) {
          is_reading_ = false;
          if (error) return on_error_();
          const Clock::time_point due =
              std::max(Clock::now() + proxy_.next_delay(), chunks_.empty() ? Clock::time_point() : last_due_);
          last_due_ = due;
          chunks_.push_back({due, std::string(buffer_.data(), size)});
          if (chunks_.size() == 1) wait(owner);
          if (chunks_.size() < kChunksMax) read(owner);
        });
  }

  void wait(const std::shared_ptr<void>& owner) {
    timer_.expires_at(chunks_.front().due);
    timer_.async_wait([this, owner](const error_code& error) {
      if (error) return;
      boost::asio::async_write(to_, boost::asio::buffer(chunks_.front().bytes),
                               [this, owner](const error_code& failed, std::size_t) {
                                 if (failed) return on_error_();
                                 chunks_.pop_front();
                                 if (!chunks_.empty()) wait(owner);
                                 if (!is_reading_) read(owner);
                               });
    });
  }

  SlowProxy& proxy_;
  tcp::socket& from_;
  tcp::socket& to_;
  boost::asio::steady_timer timer_;
  std::function<void()> on_error_;
  std::array<char, 4096> buffer_;
  std::deque<Chunk> chunks_;
  Clock::time_point last_due_;
  bool is_reading_ = false;
};

class SlowProxy::Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(SlowProxy& proxy, tcp::socket client)
      : port_(proxy.upstream_port_), client_(std::move(client)), server_(proxy.acceptor_.context()) {
    to_server_.emplace(proxy, client_, server_);
    to_client_.emplace(proxy, server_, client_);
  }

  void start() {
    server_.async_connect({boost::asio::ip::address_v4::loopback(), port_},
                          [self = shared_from_this()](const error_code& error) {
                            if (error) return self->close();
                            const tcp::no_delay at_once(true);
                            self->client_.set_option(at_once);
                            self->server_.set_option(at_once);
                            Connection* const raw = self.get();
                            self->to_server_->start(self, [raw] { raw->close(); });
                            self->to_client_->start(self, [raw] { raw->close(); });
                          });
  }

 private:
  void close() {
    error_code ignored;
    client_.close(ignored);
    server_.close(ignored);
  }

  const std::uint16_t port_;
  tcp::socket client_;
  tcp::socket server_;
  std::optional<Way> to_server_;
  std::optional<Way> to_client_;
};

SlowProxy::SlowProxy(std::uint16_t upstream_port, const Plan& plan)
    : plan_(plan), upstream_port_(upstream_port), random_(plan.seed), acceptor_([this](tcp::socket client) {
        std::make_shared<Connection>(*this, std::move(client))->start();
      }) {}

std::chrono::milliseconds SlowProxy::next_delay() {
  const bool is_held = std::uniform_real_distribution(0.0, 1.0)(random_) < plan_.held_share;
  return is_held ? plan_.delay + plan_.hold : plan_.delay;
}

}  // namespace sweepd::test
