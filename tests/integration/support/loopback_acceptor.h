// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <utility>

#include "sweepd/client.h"

namespace sweepd::test {

/// Takes connections on a free port of loopback, on a thread of its own, which runs what they begin as well.
/// The last member of a proxy: the thread ends before what it uses.
class LoopbackAcceptor {
 public:
  using Take = std::function<void(boost::asio::ip::tcp::socket client)>;

  explicit LoopbackAcceptor(Take take)
      : take_(std::move(take)), acceptor_(context_, {boost::asio::ip::address_v4::loopback(), 0}) {
    accept();
    thread_ = std::thread([this] { context_.run(); });
  }
  ~LoopbackAcceptor() {
    context_.stop();
    thread_.join();
  }
  LoopbackAcceptor(const LoopbackAcceptor&) = delete;
  LoopbackAcceptor& operator=(const LoopbackAcceptor&) = delete;

  boost::asio::io_context& context() { return context_; }
  std::string address() const { return "127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()); }

 private:
  void accept() {
    acceptor_.async_accept(
        [this](const boost::system::error_code& error, boost::asio::ip::tcp::socket client) {
          if (error) return;
          take_(std::move(client));
          accept();
        });
  }

  const Take take_;
  boost::asio::io_context context_;
  boost::asio::ip::tcp::acceptor acceptor_;
  std::thread thread_;
};

/// For a client that stays behind a proxy: endpoints of matches would lead it past.
template <typename Proxy>
ClientOptions options_through(const Proxy& proxy) {
  ClientOptions options;
  options.server = proxy.address();
  options.follow_endpoint = false;
  options.timeout = std::chrono::seconds(30);
  return options;
}

}  // namespace sweepd::test
