// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sweepd/status.h"

namespace sweepd::tools {

/// A named server with the files for its connections. Empty: absent.
struct Context {
  std::string name = {};
  std::string server = {};
  bool tls = false;  ///< With certificates by the system's issuers if there is no CA file.
  std::string ca_file = {};
  std::string certificate_file = {};
  std::string key_file = {};
  std::string token_file = {};
  std::string admin = {};  ///< Its admin listener: "unix:PATH" or HOST:PORT.
};

/// Content of contexts.toml: a table [context.NAME] for each context, and the default of them.
struct Contexts {
  std::string current = {};  ///< Empty: none.
  std::vector<Context> all = {};

  const Context* find(std::string_view name) const;
};

/// 1 to 64 letters, digits, - and _.
bool is_context_name(std::string_view name);

/// The first error begins with "PATH:LINE:COLUMN: ".
Result<Contexts> parse_contexts(std::string_view text, const std::string& path);
std::string contexts_text(const Contexts& contexts);

/// $XDG_CONFIG_HOME/sweepd/contexts.toml, or that below ~/.config; empty where neither is known.
std::filesystem::path contexts_path();

/// An absent file is an empty one. A file that others than its owner may write is refused, as it decides
/// which server gets a token.
Result<Contexts> read_contexts(const std::filesystem::path& path);
/// The file gets mode 0600, and folders made for it 0700.
Status write_contexts(const std::filesystem::path& path, const Contexts& contexts);

/// The server as named by the command line and the environment. Empty: absent.
struct ContextChoice {
  std::string server = {};       ///< --server
  std::string context = {};      ///< --context
  std::string environment = {};  ///< SWEEPD_SERVER
};

inline constexpr const char* kDefaultServer = "127.0.0.1:7777";

/// The server to call, with the files that belong to it. The order is --server, --context, SWEEPD_SERVER, the
/// current context, kDefaultServer. With --server the files of a context count only if --context is given,
/// too: a token never reaches another server without being asked for.
Result<Context> choose_context(const ContextChoice& choice, const std::filesystem::path& path);

}  // namespace sweepd::tools
