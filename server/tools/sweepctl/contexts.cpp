// SPDX-License-Identifier: MIT
#include "tools/sweepctl/contexts.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/json_string.h"
#include "base/visible_text.h"
#include "tools/sweepctl/private_file.h"
#include "tools/sweepctl/toml_reader.h"

namespace sweepd::tools {
namespace {

constexpr std::size_t kContextsBytesMax = 256 * 1024;
constexpr mode_t kWritableByOthers = 022;

struct ContextField {
  const char* key;
  std::string Context::*text;
};

constexpr ContextField kContextFields[] = {
    {"server", &Context::server},         {"ca", &Context::ca_file},
    {"cert", &Context::certificate_file}, {"key", &Context::key_file},
    {"token_file", &Context::token_file}, {"admin", &Context::admin},
};

void read_context(const TomlField& field, Contexts& contexts) {
  if (!is_context_name(field.value().key)) {
    return field.fail("is no name of a context; it has 1 to 64 letters, digits, - and _");
  }
  TomlTable table(field);
  Context context{.name = field.value().key};
  for (const ContextField& known : kContextFields) {
    const auto text = known.text == &Context::server ? table.require(known.key) : table.find(known.key);
    if (!text || !text->to_text(context.*known.text)) continue;
    const std::string& read = context.*known.text;
    if (read.empty() || base::visible(read) != read) text->fail("must be a text without control characters");
  }
  if (const auto tls = table.find("tls")) tls->to_flag(context.tls);
  table.finish();
  contexts.all.push_back(std::move(context));
}

void read_file(const TomlValue& document, FileNotes& notes, Contexts& contexts) {
  TomlTable file(TomlField(document, "", "", notes));
  const auto current = file.find("current");
  if (current) current->to_text(contexts.current);
  const auto table = file.find("context");
  if (table && table->expect(TomlKind::kTable, "a table of contexts: [context.NAME]")) {
    for (const TomlValue& item : table->value().items) {
      read_context(TomlField(item, "context." + item.key, "", notes), contexts);
    }
  }
  if (current && notes.errors.empty() && contexts.find(contexts.current) == nullptr) {
    current->fail("names no context of this file");
  }
  file.finish();
}

std::filesystem::path folder_of_environment() {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  // The XDG specification ignores paths that are not absolute.
  if (config != nullptr && *config == '/') return config;
  const char* home = std::getenv("HOME");
  return home != nullptr && *home == '/' ? std::filesystem::path(home) / ".config" : std::filesystem::path();
}

Status with_path(const std::filesystem::path& path, const Status& status) {
  return Status(status.code(), path.string() + " " + status.message());
}

/// Makes each missing folder, with mode 0700.
void make_folders(const std::filesystem::path& folder) {
  if (folder.empty() || std::filesystem::exists(folder)) return;
  make_folders(folder.parent_path());
  ::mkdir(folder.c_str(), 0700);
}

Result<Context> named_context(const Contexts& contexts, const std::string& name,
                              const std::filesystem::path& path) {
  const Context* context = contexts.find(name);
  if (context != nullptr) return *context;
  return Status(ErrorCode::kNotFound, "there is no context '" + name + "' in " + path.string());
}

}  // namespace

const Context* Contexts::find(std::string_view name) const {
  const auto found =
      std::find_if(all.begin(), all.end(), [name](const Context& context) { return context.name == name; });
  return found == all.end() ? nullptr : &*found;
}

bool is_context_name(std::string_view name) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return !name.empty() && name.size() <= 64 && name.find_first_not_of(kLetters) == std::string_view::npos;
}

Result<Contexts> parse_contexts(std::string_view text, const std::string& path) {
  const std::variant<TomlValue, FileError> document = parse_toml(text);
  FileNotes notes{.outermost_keys = {"current", "context"}};
  Contexts contexts;
  if (const auto* error = std::get_if<FileError>(&document)) {
    notes.errors.push_back(*error);
  } else {
    read_file(std::get<TomlValue>(document), notes, contexts);
  }
  if (notes.errors.empty()) return contexts;
  const FileError& first =
      *std::min_element(notes.errors.begin(), notes.errors.end(),
                        [](const auto& a, const auto& b) { return a.position < b.position; });
  return Status(ErrorCode::kInvalidArgument, path + ":" + std::to_string(first.position.line) + ":" +
                                                 std::to_string(first.position.column) + ": " +
                                                 first.message);
}

std::string contexts_text(const Contexts& contexts) {
  std::string text;
  if (!contexts.current.empty()) text += "current = " + base::json_string(contexts.current) + "\n";
  for (const Context& context : contexts.all) {
    text += (text.empty() ? "[context." : "\n[context.") + context.name + "]\n";
    for (const ContextField& field : kContextFields) {
      const std::string& value = context.*field.text;
      if (!value.empty()) text += std::string(field.key) + " = " + base::json_string(value) + "\n";
    }
    if (context.tls) text += "tls = true\n";
  }
  return text;
}

std::filesystem::path contexts_path() {
  const std::filesystem::path folder = folder_of_environment();
  return folder.empty() ? folder : folder / "sweepd" / "contexts.toml";
}

Result<Contexts> read_contexts(const std::filesystem::path& path) {
  std::error_code ignored;
  if (path.empty() || !std::filesystem::exists(path, ignored)) return Contexts();
  const auto text = read_private_file(path, kContextsBytesMax, kWritableByOthers);
  if (!text.ok()) return with_path(path, text.status());
  return parse_contexts(*text, path.string());
}

Status write_contexts(const std::filesystem::path& path, const Contexts& contexts) {
  if (path.empty())
    return Status(ErrorCode::kFailedPrecondition, "neither HOME nor XDG_CONFIG_HOME says where contexts are");
  make_folders(path.parent_path());
  const Status status = replace_file(path, contexts_text(contexts), kOwnerOnly);
  return status.ok() ? status : with_path(path, status);
}

Result<Context> choose_context(const ContextChoice& choice, const std::filesystem::path& path) {
  if (choice.context.empty() && !choice.server.empty()) return Context{.server = choice.server};
  if (choice.context.empty() && !choice.environment.empty()) return Context{.server = choice.environment};
  const auto contexts = read_contexts(path);
  if (!contexts.ok()) return contexts.status();
  const std::string& name = choice.context.empty() ? contexts->current : choice.context;
  if (name.empty()) return Context{.server = kDefaultServer};
  auto chosen = named_context(*contexts, name, path);
  if (chosen.ok() && !choice.server.empty()) {
    chosen->server = choice.server;
    chosen->admin.clear();
  }
  return chosen;
}

}  // namespace sweepd::tools
