// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sweepd/status.h"

namespace sweepd::tools {

/// How to reach a server and who one is there, under a short name. Empty: not given.
struct Context {
  std::string name = {};
  std::string server = {};
  std::string ca_file = {};
  std::string certificate_file = {};
  std::string key_file = {};
  std::string token_file = {};
};

/// What contexts.toml says: a table [context.NAME] for each, and which of them commands mean that name none.
struct Contexts {
  std::string current = {};  ///< Empty: none.
  std::vector<Context> all = {};

  const Context* find(std::string_view name) const;
};

/// Letters, digits, - and _: at most 64 of them.
bool is_context_name(std::string_view name);

/// The first error begins with "PATH:LINE:COLUMN: ".
Result<Contexts> parse_contexts(std::string_view text, const std::string& path);
std::string contexts_text(const Contexts& contexts);

/// $XDG_CONFIG_HOME/sweepd/contexts.toml, or that below ~/.config; empty where neither is known.
std::filesystem::path contexts_path();

/// None where there is no such file. One that others than its owner may write is refused: it says who gets
/// tokens.
Result<Contexts> read_contexts(const std::filesystem::path& path);
/// The file is its owner's alone, as are folders that are made for it.
Status write_contexts(const std::filesystem::path& path, const Contexts& contexts);

/// What a command line and the environment say of the server; empty: nothing.
struct ContextChoice {
  std::string server = {};       ///< --server
  std::string context = {};      ///< --context
  std::string environment = {};  ///< SWEEPD_SERVER
};

inline constexpr const char* kDefaultServer = "127.0.0.1:7777";

/// The server that is meant, with what belongs to it. --server wins; what else the context has goes with it
/// only where
/// --context names it, so that no token of one server reaches another by itself. Then count --context,
/// SWEEPD_SERVER, the current context and kDefaultServer, in this order.
Result<Context> choose_context(const ContextChoice& choice, const std::filesystem::path& path);

}  // namespace sweepd::tools
