// SPDX-License-Identifier: MIT
#include "inspector/inspector.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/system/system_error.hpp>
#include <map>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "inspector/http_session.h"
#include "runtime/budgets/budget_key.h"

namespace sweepd::inspector {
namespace {

using boost::asio::ip::tcp;

/// When the process has no descriptor left, trying again at once would only burn time.
constexpr std::chrono::milliseconds kPauseAfterError{100};

std::string to_text(const std::string& host, std::uint16_t port) {
  const bool is_version_6 = host.find(':') != std::string::npos;
  return (is_version_6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

}  // namespace

/// The thread with its socket and its connections.
class Inspector::Listener {
 public:
  /// Throws boost::system::system_error.
  Listener(const InspectorOptions& options, const Sources& sources) : options_(options), sources_(sources) {
    tcp::resolver resolver(context_);
    const auto addresses =
        resolver.resolve(options.host, std::to_string(options.port), tcp::resolver::passive);
    const tcp::endpoint endpoint = addresses.begin()->endpoint();
    acceptor_.open(endpoint.protocol());
    // Connections of a server that is gone must not keep the next one from starting; one that listens does.
    acceptor_.set_option(tcp::acceptor::reuse_address(true));
    acceptor_.bind(endpoint);
    acceptor_.listen();
  }

  ~Listener() {
    context_.stop();
    if (thread_.joinable()) thread_.join();
  }

  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }

  void run() {
    accept();
    thread_ = std::thread([this] { context_.run(); });
  }

 private:
  struct Held {
    runtime::BudgetKey address;
    std::weak_ptr<HttpSession> session;
  };

  void accept() {
    acceptor_.async_accept([this](const boost::system::error_code& error, tcp::socket socket) {
      on_accepted(error, std::move(socket));
    });
  }

  void on_accepted(const boost::system::error_code& error, tcp::socket socket) {
    if (error) {
      pause_.expires_after(kPauseAfterError);
      pause_.async_wait([this](const boost::system::error_code& /*cancelled*/) { accept(); });
      return;
    }
    boost::system::error_code gone;
    const runtime::BudgetKey address = runtime::key_of_address(socket.remote_endpoint(gone).address());
    if (connections_ == options_.connections_max) make_room(address);
    if (connections_ < options_.connections_max) serve(std::move(socket), address);
    accept();
  }

  void serve(tcp::socket socket, const runtime::BudgetKey& address) {
    ++connections_;
    ++of_address_[address];
    std::shared_ptr<void> place(nullptr, [this, address](void*) {
      --connections_;
      if (--of_address_[address] == 0) of_address_.erase(address);
    });
    std::erase_if(sessions_, [](const Held& held) { return held.session.expired(); });
    const HttpOptions http{.patience = options_.patience, .tls = present_tls()};
    sessions_.push_back({address, serve_http(std::move(socket), sources_, http, std::move(place))});
  }

  /// Made anew where the certificates are new; connections keep what they began with.
  std::shared_ptr<boost::asio::ssl::context> present_tls() {
    if (options_.certificates == nullptr) return nullptr;
    auto current = options_.certificates->current();
    if (current == certificates_) return tls_;
    if (auto context = runtime::make_server_context(*current))
      tls_ = std::make_shared<boost::asio::ssl::context>(context.release());
    certificates_ = std::move(current);
    return tls_;
  }

  /// The connection that came first and waits for a request gives way. Where an address has more than half of
  /// all places, with the one that comes, it is one of that address, for others also one that is being
  /// answered.
  void make_room(const runtime::BudgetKey& newcomer) {
    const auto greedy = find_greedy(newcomer);
    const auto is_asked = [&greedy](const Held& held) { return !greedy || held.address == *greedy; };
    for (const Held& held : sessions_) {
      const auto session = held.session.lock();
      if (session != nullptr && is_asked(held) && close_if_waiting(*session)) return;
    }
    if (!greedy || *greedy == newcomer) return;
    for (const Held& held : sessions_) {
      const auto session = held.session.lock();
      if (session != nullptr && is_asked(held)) return close(*session);
    }
  }

  std::optional<runtime::BudgetKey> find_greedy(const runtime::BudgetKey& newcomer) const {
    for (const auto& [address, count] : of_address_) {
      const std::size_t places = count + (address == newcomer ? 1 : 0);
      if (2 * places > options_.connections_max) return address;
    }
    return std::nullopt;
  }

  const InspectorOptions& options_;
  const Sources& sources_;
  std::shared_ptr<const runtime::CertificateSet> certificates_;  ///< Of the next.
  std::shared_ptr<boost::asio::ssl::context> tls_;
  std::size_t connections_ = 0;
  std::map<runtime::BudgetKey, std::size_t> of_address_;
  std::vector<Held> sessions_;       ///< In the order in which they came.
  boost::asio::io_context context_;  ///< Holds the connections, which need what is above.
  tcp::acceptor acceptor_{context_};
  boost::asio::steady_timer pause_{context_};
  std::thread thread_;
};

Inspector::Inspector(InspectorOptions options, Sources sources)
    : options_(std::move(options)), sources_(std::move(sources)) {
  SWEEPD_ASSERT(sources_.metrics_text && sources_.components && options_.connections_max > 0);
}

Inspector::~Inspector() = default;

std::optional<std::string> Inspector::start() {
  SWEEPD_ASSERT(listener_ == nullptr);
  try {
    listener_ = std::make_unique<Listener>(options_, sources_);
  } catch (const boost::system::system_error& error) {
    return "cannot listen for HTTP on " + to_text(options_.host, options_.port) + ": " +
           error.code().message();
  }
  options_.port = listener_->port();
  listener_->run();
  return std::nullopt;
}

void Inspector::stop() { listener_.reset(); }

}  // namespace sweepd::inspector
