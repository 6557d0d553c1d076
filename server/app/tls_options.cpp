// SPDX-License-Identifier: MIT
#include "app/tls_options.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <map>

namespace sweepd::app {
namespace {

using runtime::ClientCertificates;

constexpr const char* kGroup = "TLS";
constexpr std::uint32_t kHandshakesMost = 1'000'000;

const std::map<std::string, ClientCertificates> kClientCertificates{
    {"none", ClientCertificates::kNone},
    {"optional", ClientCertificates::kOptional},
    {"required", ClientCertificates::kRequired}};

void describe_client_certificates(CLI::App& app, TlsChoice& choice, CLI::Option* certificate) {
  CLI::Option* issuers =
      app.add_option("--tls-client-ca", choice.files.client_ca,
                     "Certificates (PEM) of the issuers whose client certificates are good")
          ->type_name("FILE")
          ->needs(certificate)
          ->group(kGroup);
  app.add_option_function<std::string>(
         "--tls-client-certs",
         [&choice](const std::string& word) {
           choice.files.client_certificates = kClientCertificates.at(word);
         },
         "Whether clients are asked for a certificate: none, optional, required")
      ->check(CLI::IsMember(kClientCertificates))
      ->type_name("WORD")
      ->default_str("required with --tls-client-ca, else none")
      ->needs(certificate)
      ->group(kGroup);
  (void)issuers;
}

void describe_handshakes(CLI::App& app, runtime::ClientLimits& limits) {
  const auto add = [&app](const char* name, std::uint32_t& rate, const char* what) {
    app.add_option(name, rate, what)
        ->check(CLI::Range(std::uint32_t{1}, kHandshakesMost))
        ->type_name("N")
        ->capture_default_str()
        ->group(kGroup);
  };
  add("--handshakes-per-second-max", limits.handshakes_per_second_max,
      "Connections of TLS that may begin in a second, four seconds' worth at once; further ones are closed");
  add("--handshakes-per-second-per-client-max", limits.handshakes_per_second_per_client_max,
      "The same of one client");
}

}  // namespace

void describe_tls(CLI::App& app, TlsChoice& choice, runtime::ClientLimits& limits) {
  CLI::Option* certificate =
      app.add_option(
             "--tls-cert", choice.files.certificate,
             "Certificate (PEM) with its chain: every listener speaks TLS 1.2 and 1.3. Read again when "
             "it changes, and on SIGHUP")
          ->type_name("FILE")
          ->group(kGroup);
  CLI::Option* key =
      app.add_option("--tls-key", choice.files.key, "Its private key (PEM), for no other user to read")
          ->type_name("FILE")
          ->needs(certificate)
          ->group(kGroup);
  certificate->needs(key);
  describe_client_certificates(app, choice, certificate);
  app.add_flag(
         "--insecure", choice.allows_plain_text,
         "Listen in plain text elsewhere than on loopback, too: machines on the way can read and "
         "change everything")
      ->excludes(certificate)
      ->group(kGroup);
  describe_handshakes(app, limits);
}

std::string take_tls(const CLI::App& app, TlsChoice& choice) {
  const bool has_issuers = !choice.files.client_ca.empty();
  if (app.count("--tls-client-certs") == 0) {
    choice.files.client_certificates =
        has_issuers ? ClientCertificates::kRequired : ClientCertificates::kNone;
  }
  const bool asks = choice.files.client_certificates != ClientCertificates::kNone;
  if (asks && !has_issuers) return "--tls-client-certs: whose are good? --tls-client-ca FILE says so";
  return {};
}

bool is_loopback(const std::string& host) {
  using boost::asio::ip::tcp;
  boost::asio::io_context context;
  tcp::resolver resolver(context);
  boost::system::error_code error;
  const auto found = resolver.resolve(host, "0", tcp::resolver::passive, error);
  const auto is_local = [](const auto& entry) { return entry.endpoint().address().is_loopback(); };
  return !error && !found.empty() && std::ranges::all_of(found, is_local);
}

}  // namespace sweepd::app
