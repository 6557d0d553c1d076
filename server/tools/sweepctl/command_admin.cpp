// SPDX-License-Identifier: MIT
#include <ctime>
#include <iostream>

#include "sweepd/admin.h"
#include "tools/sweepctl/command.h"
#include "tools/sweepctl/utc_time.h"
#include "tools/sweepctl/visible_output.h"

namespace sweepd::tools {
namespace {

/// What one of the commands was asked for.
struct AdminRequest {
  std::string socket;
  Subject subject;
  std::string match_id;
  std::string time = "1h";
  std::string reason;
  std::string level;
};

/// The admin listener: --socket, else the context's `admin`, else the server itself.
ServerChoice admin_of(const AdminRequest& request, ServerChoice server) {
  if (!request.socket.empty()) {
    server.address = "unix:" + request.socket;
  } else if (!server.admin.empty()) {
    server.address = server.admin;
  }
  if (!server.address.starts_with("unix:")) return server;
  return {.address = server.address};  // Neither TLS nor a token: the socket says who asks.
}

std::string text_of(const Subject& subject) {
  const std::string text = visible(subject.name) + " of " + visible(subject.issuer);
  return subject.tenant.empty() ? text : text + " for " + visible(subject.tenant);
}

int kick(const AdminRequest& request, Admin& admin, const ServerChoice& server) {
  const auto streams = admin.kick(request.subject, request.match_id);
  if (!streams.ok()) return fail(streams.status(), server);
  std::cout << "kicked " << text_of(request.subject) << ": " << *streams << " streams ended" << std::endl;
  return kExitOk;
}

int ban(const AdminRequest& request, Admin& admin, const ServerChoice& server) {
  const auto seconds = static_cast<std::uint64_t>(*seconds_of(request.time));
  const auto streams = admin.ban(request.subject, seconds, request.reason);
  if (!streams.ok()) return fail(streams.status(), server);
  std::cout << "banned " << text_of(request.subject) << " for " << request.time << ": " << *streams
            << " streams ended" << std::endl;
  return kExitOk;
}

int unban(const AdminRequest& request, Admin& admin, const ServerChoice& server) {
  if (const Status status = admin.unban(request.subject); !status.ok()) return fail(status, server);
  std::cout << "unbanned " << text_of(request.subject) << std::endl;
  return kExitOk;
}

int bans(const AdminRequest& /*request*/, Admin& admin, const ServerChoice& server) {
  const auto bans = admin.bans();
  if (!bans.ok()) return fail(bans.status(), server);
  for (const Ban& ban : *bans) {
    std::cout << text_of(ban.subject) << " until " << utc_text(ban.until_s)
              << (ban.reason.empty() ? "" : ": " + visible(ban.reason)) << "\n";
  }
  std::cout << std::flush;
  return kExitOk;
}

int log_level(const AdminRequest& request, Admin& admin, const ServerChoice& server) {
  const auto level = request.level.empty() ? admin.log_level() : admin.set_log_level(request.level);
  if (!level.ok()) return fail(level.status(), server);
  std::cout << visible(*level) << (request.level.empty() ? "" : " -> " + request.level) << std::endl;
  return kExitOk;
}

int reload_keys(const AdminRequest& /*request*/, Admin& admin, const ServerChoice& server) {
  const auto keys = admin.reload_keys();
  if (!keys.ok()) return fail(keys.status(), server);
  std::cout << *keys << " keys of tickets" << std::endl;
  return kExitOk;
}

int changed(const Result<std::uint64_t>& bytes, const char* what, const AdminRequest& request,
            const ServerChoice& server) {
  if (!bytes.ok()) return fail(bytes.status(), server);
  std::cout << what << " the replay of match " << visible(request.match_id) << ": " << *bytes << " bytes"
            << std::endl;
  return kExitOk;
}

int hold(const AdminRequest& request, Admin& admin, const ServerChoice& server) {
  return changed(admin.hold_replay(request.match_id), "holds", request, server);
}

int release(const AdminRequest& request, Admin& admin, const ServerChoice& server) {
  return changed(admin.release_replay(request.match_id), "released", request, server);
}

int delete_replay(const AdminRequest& request, Admin& admin, const ServerChoice& server) {
  return changed(admin.delete_replay(request.match_id), "deleted", request, server);
}

using Run = int (*)(const AdminRequest&, Admin&, const ServerChoice&);

/// A subcommand of `sweepctl admin` or `replay`, and where its options go.
struct AdminCommand {
  CLI::App* command;
  std::shared_ptr<AdminRequest> request;
};

AdminCommand add(CLI::App& group, Invocation& invocation, const std::string& name,
                 const std::string& description, const std::string& example, Run run) {
  const auto request = std::make_shared<AdminRequest>();
  CLI::App* command =
      add_command(group, invocation, name, description, "  sweepctl " + group.get_name() + " " + example);
  command->add_option("--socket", request->socket, "The server's admin socket")->type_name("PATH");
  command->callback([&invocation, request, run] {
    invocation.run = [&invocation, request, run] {
      const ServerChoice server = admin_of(*request, invocation.server);
      const Client client = make_client(server);
      Admin admin(client);
      return run(*request, admin, server);
    };
  });
  return {command, request};
}

void add_subject(const AdminCommand& added) {
  Subject& subject = added.request->subject;
  added.command->add_option("SUBJECT", subject.name, "sub of its tickets")->required();
  added.command->add_option("--issuer", subject.issuer, "iss of its tickets")->type_name("TEXT")->required();
  added.command->add_option("--tenant", subject.tenant, "tenant of its tickets (default: none)")
      ->type_name("TEXT");
}

void add_match(const AdminCommand& added) {
  added.command->add_option("MATCH", added.request->match_id, "Id of the match")->required();
}

}  // namespace

void add_replay_admin_commands(CLI::App& replay, Invocation& invocation) {
  add_match(add(replay, invocation, "hold",
                "Keeps the replay of a match that is over from being removed by age or size; by the admin "
                "listener",
                "hold \"$match\" --socket admin.sock", hold));
  add_match(add(replay, invocation, "release", "Ends a hold; by the admin listener",
                "release \"$match\" --socket admin.sock", release));
  add_match(add(replay, invocation, "delete",
                "Removes the replay of a match that is over for good; by the admin listener",
                "delete \"$match\" --socket admin.sock", delete_replay));
}

void add_admin_commands(CLI::App& app, Invocation& invocation) {
  CLI::App* group = app.add_subcommand(
      "admin", "What operators do by the server's admin listener: a unix socket, or --server with a ticket");
  group->require_subcommand(1);
  group->fallthrough();
  group->footer(
      "Example:\n  sweepctl admin kick ann --issuer game --socket /var/lib/sweepd/admin.sock\n"
      "Without --socket it is the context's admin (sweepctl context set NAME --admin unix:PATH), else the "
      "server.\nMatches of others are ended and paced by sweepctl --server unix:PATH end, pause, resume, "
      "rate.");
  const AdminCommand kicked = add(*group, invocation, "kick", "Ends the streams of a subject",
                                  "kick ann --issuer game --socket admin.sock", kick);
  add_subject(kicked);
  kicked.command->add_option("--match", kicked.request->match_id, "Only those of this match")
      ->type_name("ID");
  const AdminCommand banned =
      add(*group, invocation, "ban", "Ends the streams of a subject, and refuses it for a time",
          "ban ann --issuer game --for 7d --reason cheating --socket admin.sock", ban);
  add_subject(banned);
  banned.command->add_option("--for", banned.request->time, "How long; it ends with the server at the latest")
      ->type_name("TIME")
      ->capture_default_str()
      ->check(CLI::Validator(check_lifetime, ""));
  banned.command->add_option("--reason", banned.request->reason, "The subject is told")->type_name("TEXT");
  add_subject(
      add(*group, invocation, "unban", "Ends a ban", "unban ann --issuer game --socket admin.sock", unban));
  add(*group, invocation, "bans", "Prints the bans in force", "bans --socket admin.sock", bans);
  const AdminCommand level = add(*group, invocation, "log-level", "Prints how much is logged, or changes it",
                                 "log-level debug --socket admin.sock", log_level);
  level.command->add_option("LEVEL", level.request->level, "trace, debug, info, warning, error or off");
  add(*group, invocation, "reload-keys", "Has the server read its files of keys again",
      "reload-keys --socket admin.sock", reload_keys);
}

}  // namespace sweepd::tools
