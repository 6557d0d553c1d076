// SPDX-License-Identifier: MIT
#include "inspector/pages.h"

#include "base/json_string.h"
#include "runtime/telemetry/metrics.h"

namespace sweepd::inspector {
namespace {

constexpr unsigned kOk = 200;
constexpr unsigned kBadRequest = 400;
constexpr unsigned kForbidden = 403;
constexpr unsigned kNotFound = 404;
constexpr unsigned kUnavailable = 503;
constexpr std::string_view kText = "text/plain; charset=utf-8";
constexpr std::string_view kJson = "application/json";

Page page(unsigned status, std::string_view type, std::string body) {
  return {.status = status, .type = std::string(type), .body = std::move(body)};
}

/// `well`, or the parts that fail as `least` or worse, with 503.
Page page_of_failures(const Sources& sources, runtime::Impact least, const char* well) {
  std::string failures;
  for (const auto& component : sources.components()) {
    if (component.fails_as(least)) failures += component.name + ": " + component.failure + "\n";
  }
  return failures.empty() ? page(kOk, kText, well) : page(kUnavailable, kText, std::move(failures));
}

/// {"journal":"failing: disk full","server":"ok"}
Page health(const Sources& sources) {
  std::string fields;
  for (const auto& component : sources.components()) {
    if (!fields.empty()) fields += ",";
    fields += base::json_string(component.name) + ":";
    fields += base::json_string(component.is_ok() ? "ok" : "failing: " + component.failure);
  }
  return page(kOk, kJson, "{" + fields + "}\n");
}

Page log_level(const Sources& sources) {
  return page(kOk, kText, std::string(to_string(sources.log_level())) + "\n");
}

}  // namespace

Page error_page(unsigned status, std::string_view what) {
  return page(status, kText, std::to_string(status) + " " + std::string(what) + "\n");
}

Page find_page(std::string_view path, const Sources& sources) {
  if (path == "/metrics") return page(kOk, runtime::Metrics::kTextType, sources.metrics_text());
  if (path == "/livez") return page_of_failures(sources, runtime::Impact::kNotAlive, "alive\n");
  if (path == "/readyz") return page_of_failures(sources, runtime::Impact::kNotReady, "ready\n");
  if (path == "/healthz") return health(sources);
  if (path == kLogLevelPath) return log_level(sources);
  return error_page(kNotFound, "there are /metrics, /livez, /readyz, /healthz and /log-level");
}

Page change_log_level(std::string_view query, RequestOrigin origin, const Sources& sources) {
  if (!sources.set_log_level) {
    return error_page(kForbidden, "the log level is changed on the admin listener: sweepctl admin log-level");
  }
  if (origin == RequestOrigin::kThroughAnother) {
    return error_page(
        kForbidden,
        "the log level is changed by a request to localhost or a loopback address only, which no proxy "
        "has passed on");
  }
  if (origin != RequestOrigin::kThisMachine) {
    return error_page(kForbidden, "the log level is changed from the server's own machine only");
  }
  constexpr std::string_view kKey = "level=";
  if (!query.starts_with(kKey)) return error_page(kBadRequest, "what is asked for is /log-level?level=LEVEL");
  const auto level = runtime::parse_log_level(query.substr(kKey.size()));
  if (!level) return error_page(kBadRequest, "level is one of " + std::string(runtime::kLogLevelNames));
  sources.set_log_level(*level);
  return log_level(sources);
}

}  // namespace sweepd::inspector
