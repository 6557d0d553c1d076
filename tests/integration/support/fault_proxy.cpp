// SPDX-License-Identifier: MIT
#include "integration/support/fault_proxy.h"

#include <algorithm>
#include <array>
#include <boost/asio/write.hpp>
#include <memory>

namespace sweepd::test {

using boost::asio::ip::tcp;
using boost::system::error_code;

/// A client's connection and the one to the server that belongs to it.
class FaultProxy::Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(FaultProxy& proxy, tcp::socket client, std::size_t budget)
      : proxy_(proxy), client_(std::move(client)), server_(proxy.acceptor_.context()), budget_(budget) {}

  void start() {
    server_.async_connect({boost::asio::ip::address_v4::loopback(), proxy_.upstream_port_},
                          [self = shared_from_this()](const error_code& error) {
                            if (error && !self->is_swallowed()) return self->close();
                            self->forward(self->client_, self->server_, self->to_server_);
                            if (!error) self->forward(self->server_, self->client_, self->to_client_);
                          });
  }

 private:
  using Buffer = std::array<char, 4096>;

  void forward(tcp::socket& from, tcp::socket& to, Buffer& buffer) {
    from.async_read_some(boost::asio::buffer(buffer), [this, self = shared_from_this(), &from, &to, &buffer](
                                                          const error_code& error, std::size_t size) {
      const bool is_swallowed = this->is_swallowed();
      if (error && is_swallowed && &from == &server_) return;
      if (error) return close();
      if (is_swallowed) return forward(from, to, buffer);
      const bool is_cut = proxy_.is_cutting_ && size >= budget_;
      const std::size_t passed = is_cut ? budget_ : size;
      if (proxy_.is_cutting_) budget_ -= passed;
      boost::asio::async_write(
          to, boost::asio::buffer(buffer.data(), passed),
          [this, self, &from, &to, &buffer, is_cut](const error_code& failed, std::size_t) {
            if (is_cut) return cut();
            if (failed) return close();
            forward(from, to, buffer);
          });
    });
  }

  // Once bytes are missing, what follows would make no sense.
  bool is_swallowed() { return has_lost_ = has_lost_ || proxy_.is_swallowing_; }

  void cut() {
    if (is_closed_) return;
    ++proxy_.cuts_;
    // Odd ones as if a machine had gone down: what is still on its way is lost, too.
    error_code ignored;
    if (proxy_.cuts_ % 2 == 1) {
      client_.set_option(boost::asio::socket_base::linger(true, 0), ignored);
      server_.set_option(boost::asio::socket_base::linger(true, 0), ignored);
    }
    close();
  }

  void close() {
    is_closed_ = true;
    error_code ignored;
    client_.close(ignored);
    server_.close(ignored);
  }

  FaultProxy& proxy_;
  tcp::socket client_;
  tcp::socket server_;
  std::size_t budget_;
  bool is_closed_ = false;
  bool has_lost_ = false;
  Buffer to_server_;
  Buffer to_client_;
};

FaultProxy::FaultProxy(std::uint16_t upstream_port, const Plan& plan)
    : plan_(plan), upstream_port_(upstream_port), random_(plan.seed), acceptor_([this](tcp::socket client) {
        std::uniform_int_distribution<std::size_t> bytes(plan_.bytes_min, plan_.bytes_max);
        std::make_shared<Connection>(*this, std::move(client), bytes(random_))->start();
      }) {}

}  // namespace sweepd::test
