// SPDX-License-Identifier: MIT
//
// Protects who looks at a dashboard or waits for an alert: every query of deploy/grafana and
// deploy/prometheus is put to a real Prometheus, which reads a real server that plays, and has to be answered
// with numbers.
#include <gmock/gmock.h>
#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>
#include <signal.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <optional>
#include <regex>
#include <set>
#include <stdexcept>

#include "integration/support/tls_fixture.h"
#include "unit/inspector/http_client.h"

namespace sweepd::test::dashboard_test {
namespace {

using google::protobuf::Struct;
using google::protobuf::Value;
using ::testing::HasSubstr;

/// For all of it together, with all else that the machine has to do.
constexpr std::chrono::minutes kPatience{4};

std::string deployed(const std::string& name) {
  return read_file(std::filesystem::path(required_environment("SWEEPD_SOURCE_DIR")) / "deploy" / name);
}

Struct parse_json(const std::string& json) {
  Struct parsed;
  EXPECT_TRUE(google::protobuf::util::JsonStringToMessage(json, &parsed).ok()) << json;
  return parsed;
}

const Value& field(const Struct& json, const std::string& name) {
  static const Value kNone;
  const auto it = json.fields().find(name);
  return it == json.fields().end() ? kNone : it->second;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  EXPECT_THAT(text, HasSubstr(what));
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
  return text;
}

std::string url_encoded(const std::string& text) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string encoded;
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (std::isalnum(byte) != 0) {
      encoded += character;
    } else {
      encoded += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return encoded;
}

/// A real Prometheus that reads one server by TLS each second, with the configuration that is deployed
/// otherwise.
class Prometheus {
 public:
  Prometheus(std::uint16_t server_port, const std::string& ca_file) {
    std::string config = deployed("prometheus/prometheus.yml");
    config = replaced(config, "127.0.0.1:9464\"]", "127.0.0.1:" + std::to_string(server_port) + "\"]");
    config = replaced(config, "_interval: 15s", "_interval: 1s");
    config =
        replaced(config, "job_name: sweepd\n",
                 "job_name: sweepd\n    scheme: https\n    tls_config: {ca_file: \"" + ca_file + "\"}\n");
    write("prometheus.yml", config);
    write("alerts.yml", deployed("prometheus/alerts.yml"));
    const std::vector<std::string> command{
        "/usr/bin/env", "prometheus", "--config.file=" + (folder_.path() / "prometheus.yml").string(),
        "--storage.tsdb.path=" + (folder_.path() / "data").string(), "--web.listen-address=127.0.0.1:0"};
    process_ = std::make_unique<Process>(command, folder_.path() / "output");
    const bool is_up = eventually([this] { return find_port() || !process_->is_running(); }, kPatience);
    if (!is_up || !process_->is_running()) {
      throw std::runtime_error("no Prometheus (deploy/install-packages.sh test): " +
                               process_->standard_error());
    }
  }

  /// Data of an answer of its API; of none, or of one that is no success, an empty value.
  Value ask(const std::string& path) const {
    HttpClient client(port_);
    client.send("GET /api/v1/" + path + " HTTP/1.0\r\n\r\n");
    const std::string answer = client.rest();
    const std::size_t body = answer.find("\r\n\r\n");
    if (body == std::string::npos || answer[body + 4] != '{') return {};
    const Struct json = parse_json(answer.substr(body + 4));
    if (field(json, "status").string_value() != "success") last_error_ = field(json, "error").string_value();
    return field(json, "data");
  }

  /// Whether it answers with numbers, one at least.
  bool has_numbers(const std::string& query) const {
    const Value data = ask("query?query=" + url_encoded(query));
    for (const Value& series : field(data.struct_value(), "result").list_value().values()) {
      const auto& sample = field(series.struct_value(), "value").list_value();
      if (sample.values_size() == 2 && std::isfinite(std::stod(sample.values(1).string_value()))) return true;
    }
    return false;
  }

  const std::string& last_error() const { return last_error_; }

 private:
  void write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_.path() / name) << content;
  }

  bool find_port() {
    static const std::regex kListening(R"re(msg="Listening on" address=127\.0\.0\.1:([0-9]+))re");
    std::smatch match;
    const std::string said = process_->standard_error();
    if (!std::regex_search(said, match, kListening)) return false;
    port_ = static_cast<std::uint16_t>(std::stoi(match[1]));
    return true;
  }

  TemporaryFolder folder_;
  std::unique_ptr<Process> process_;
  std::uint16_t port_ = 0;
  mutable std::string last_error_;
};

/// What Grafana puts in for the dashboard's variables.
std::string filled_in(std::string query) {
  static const std::regex kInstance(R"(\$instance)");
  static const std::regex kInterval(R"(\$__rate_interval)");
  query = std::regex_replace(query, kInstance, ".*");
  return std::regex_replace(query, kInterval, "5m");
}

std::vector<std::string> dashboard_queries() {
  std::vector<std::string> queries;
  const Struct dashboard = parse_json(deployed("grafana/sweepd.json"));
  for (const Value& panel : field(dashboard, "panels").list_value().values()) {
    for (const Value& target : field(panel.struct_value(), "targets").list_value().values()) {
      queries.push_back(filled_in(field(target.struct_value(), "expr").string_value()));
    }
  }
  return queries;
}

/// Of a server with a certificate, which has metrics of its own.
class Dashboard : public TlsServerTest {
 protected:
  void SetUp() override {
    TlsServerTest::SetUp();
    start_tls({"--data-dir", path("data")});
    prometheus_.emplace(static_cast<std::uint16_t>(http_port_), path("ca.pem"));
    client_.emplace(tls_client());
    match_id_ = client_->create_match(shooter_config(ClockKind::kRealtime))->match_id;
    session_.emplace(joined(*client_, match_id_, "player", Role::kPlayer));
    ASSERT_TRUE(session_->spawn(object_at({0, 0}, 0)).ok());
    ASSERT_TRUE(session_->end_frame().ok());
  }

  /// Until it is so; meanwhile a match ticks, and others begin and end, with replays.
  bool eventually_while_playing(const std::function<bool()>& condition) {
    return eventually(
        [&] {
          const auto match = client_->create_match(shooter_config(ClockKind::kManual));
          if (match.ok()) {
            (void)client_->step_match(match->match_id, 3);
            (void)client_->end_match(match->match_id);
          }
          drain(*session_);
          return condition();
        },
        kPatience);
  }

  /// What is not answered with numbers, however long one waits.
  std::vector<std::string> unanswered(std::vector<std::string> queries) {
    const auto drop_answered = [&] {
      std::erase_if(queries, [&](const std::string& query) { return prometheus_->has_numbers(query); });
      return queries.empty();
    };
    eventually_while_playing(drop_answered);
    return queries;
  }

  /// All rules that it knows, and what it found when it looked at them.
  std::vector<Struct> rules() const {
    std::vector<Struct> rules;
    const Value data = prometheus_->ask("rules");
    for (const Value& group : field(data.struct_value(), "groups").list_value().values()) {
      for (const Value& rule : field(group.struct_value(), "rules").list_value().values()) {
        rules.push_back(rule.struct_value());
      }
    }
    return rules;
  }

  std::optional<Prometheus> prometheus_;
  std::optional<Client> client_;
  std::string match_id_;
  std::optional<Session> session_;
};

TEST_F(Dashboard, EveryQueryIsAnsweredWithNumbers) {
  const auto queries = dashboard_queries();
  EXPECT_GT(queries.size(), 40u);
  EXPECT_THAT(unanswered(queries), ::testing::IsEmpty()) << prometheus_->last_error();
}

TEST_F(Dashboard, EveryAlertCanBeJudgedAndAsksForMetricsThatThereAre) {
  const auto all_are_judged = [&] {
    const auto all = rules();
    return !all.empty() && std::ranges::all_of(all, [](const Struct& rule) {
      return field(rule, "health").string_value() == "ok";
    });
  };
  EXPECT_TRUE(eventually_while_playing(all_are_judged));
  static const std::regex kMetric("sweepd_[a-z_]+");
  std::set<std::string> metrics;
  for (const Struct& rule : rules()) {
    EXPECT_EQ(field(rule, "lastError").string_value(), "") << field(rule, "name").string_value();
    const std::string query = field(rule, "query").string_value();
    for (std::sregex_iterator it(query.begin(), query.end(), kMetric), end; it != end; ++it)
      metrics.insert(it->str());
  }
  EXPECT_GT(metrics.size(), 10u);
  EXPECT_THAT(unanswered({metrics.begin(), metrics.end()}), ::testing::IsEmpty());
}

TEST(Alerts, FireWhenTheyShouldAndOnlyThen) {
  const TemporaryFolder folder;
  const std::filesystem::path source = required_environment("SWEEPD_SOURCE_DIR");
  Process promtool({"/usr/bin/env", "promtool", "test", "rules",
                    (source / "tests/integration/dashboard/alerts_test.yml").string()},
                   folder.path());
  EXPECT_EQ(promtool.wait(kPatience), 0) << promtool.standard_output() << promtool.standard_error();
}

TEST(Alerts, TheConfigurationOfPrometheusIsRight) {
  const TemporaryFolder folder;
  const std::filesystem::path source = required_environment("SWEEPD_SOURCE_DIR");
  Process promtool(
      {"/usr/bin/env", "promtool", "check", "config", (source / "deploy/prometheus/prometheus.yml").string()},
      folder.path());
  EXPECT_EQ(promtool.wait(kPatience), 0) << promtool.standard_output() << promtool.standard_error();
}

}  // namespace
}  // namespace sweepd::test::dashboard_test
