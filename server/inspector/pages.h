// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/health.h"

namespace sweepd::inspector {

/// Where the inspector learns what it shows. Called on its thread, at any time between its start and its
/// stop: thread-safe, and quick, as others wait.
struct Sources {
  std::function<std::string()> metrics_text;
  std::function<std::vector<runtime::ComponentHealth>()> components;
};

/// An answer, whatever carries it.
struct Page {
  unsigned status = 200;  ///< Of HTTP.
  std::string type = {};
  std::string body = {};
};

/// A page of text that says so and no more: "404 what\n".
Page error_page(unsigned status, std::string_view what);

/// What is at `path`, which has no query.
Page find_page(std::string_view path, const Sources& sources);

}  // namespace sweepd::inspector
