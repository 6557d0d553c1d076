// SPDX-License-Identifier: MIT
#include "sweepd/replays.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <utility>

#include "blocking_call.h"
#include "client_impl.h"
#include "config_codec.h"
#include "part_file.h"
#include "receipt.h"
#include "scoring_codec.h"
#include "verification_codec.h"

namespace sweepd {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{64} << 10;
/// What a replay's first message may take: the server may have to write it first.
constexpr std::chrono::milliseconds kOpeningPatience{30'000};

using internal::file_error;
using internal::PartFile;
using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// A replay on its way here.
class Download {
 public:
  Download(v1::ReplayService::Stub& stub, const v1::GetReplayRequest& request,
           const internal::Security& security, const KeepGoing& keep_going)
      : call_(security, keep_going) {
    if (call_.error.ok()) stream_ = stub.AsyncGetReplay(&call_.context, request, &call_.queue, this);
  }
  ~Download() { call_.end(); }

  Result<ReplayInfo> run(const ReplaySink& sink, std::chrono::milliseconds patience) {
    if (!call_.error.ok() || !call_.wait(patience) || !read(std::max(patience, kOpeningPatience)))
      return status();
    const ReplayInfo info{.receipt = internal::decode(response_.info().receipt()),
                          .bytes = response_.info().bytes()};
    std::uint64_t bytes = 0;
    while (read(patience)) {
      bytes += response_.chunk().size();
      if (!sink(response_.chunk()) || !call_.keeps_going()) {
        call_.give_up();
        return call_.error;
      }
    }
    if (Status error = status(); !error.ok()) return error;
    if (bytes == info.bytes) return info;
    return Status(ErrorCode::kInternal,
                  "the server sent " + std::to_string(bytes) + " bytes of " + std::to_string(info.bytes));
  }

 private:
  bool read(std::chrono::milliseconds patience) {
    stream_->Read(&response_, this);
    return call_.wait(patience);
  }

  Status status() {
    if (!call_.error.ok()) return call_.error;
    grpc::Status status;
    stream_->Finish(&status, this);
    call_.wait(kOpeningPatience);
    call_.end();
    return call_.error.ok() ? internal::from_server(status) : call_.error;
  }

  v1::GetReplayResponse response_;
  internal::BlockingCall call_;
  std::unique_ptr<grpc::ClientAsyncReader<v1::GetReplayResponse>> stream_;
};

/// A replay on its way to be verified.
class Upload {
 public:
  Upload(v1::ReplayService::Stub& stub, const internal::Security& security,
         const VerificationOptions& options)
      : call_(security, options.keep_going) {
    v1::VerificationOptions& message = *request_.mutable_options();
    for (const ApprovedRules& rules : options.approved_rules) {
      v1::ApprovedRules& entry = *message.add_approved_rules();
      entry.set_name(rules.name);
      const auto error = internal::encode(rules.config, entry.mutable_config());
      if (error && call_.error.ok()) call_.error = error->status();
    }
    if (call_.error.ok()) stream_ = stub.AsyncVerifyReplay(&call_.context, &response_, &call_.queue, this);
    if (!options.creator.name.empty()) internal::encode(options.creator, *message.mutable_creator());
    if (options.public_key) {
      message.set_public_key({options.public_key->bytes.begin(), options.public_key->bytes.end()});
    }
    message.set_nonce(options.nonce);
    for (const Score& score : options.claimed_scores) {
      internal::encode(score, message.add_claimed_scores());
    }
  }
  ~Upload() { call_.end(); }

  /// The options. False, as of `send`: the server wants no more, or the caller; `finish` says why.
  bool begin(std::chrono::milliseconds patience) {
    return call_.error.ok() && call_.wait(patience) && write(patience);
  }

  bool send(std::string_view bytes, std::chrono::milliseconds patience) {
    while (!bytes.empty()) {
      request_.set_chunk(std::string(bytes.substr(0, kPieceBytes)));
      bytes.remove_prefix(request_.chunk().size());
      if (!write(patience)) return false;
    }
    return true;
  }

  Result<v1::VerifyReplayResponse> finish(std::chrono::milliseconds patience) {
    if (call_.error.ok()) {
      stream_->WritesDone(this);
      call_.wait(patience);
    }
    if (!call_.error.ok()) return call_.error;
    grpc::Status status;
    stream_->Finish(&status, this);
    call_.wait(patience);
    call_.end();
    if (!call_.error.ok()) return call_.error;
    if (Status error = internal::from_server(status); !error.ok()) return error;
    return response_;
  }

 private:
  bool write(std::chrono::milliseconds patience) {
    stream_->Write(request_, this);
    if (!call_.wait(patience)) return false;
    if (!call_.keeps_going()) call_.give_up();
    return call_.error.ok();
  }

  v1::VerifyReplayRequest request_;
  v1::VerifyReplayResponse response_;
  internal::BlockingCall call_;
  std::unique_ptr<grpc::ClientAsyncWriter<v1::VerifyReplayRequest>> stream_;
};

Result<Verification> decode(const Result<v1::VerifyReplayResponse>& response) {
  if (!response.ok()) return response.status();
  return internal::decode(*response);
}

}  // namespace

Result<ReplayInfo> Client::get_replay(const std::string& match_id, const ReplaySink& sink,
                                      const KeepGoing& keep_going) {
  v1::GetReplayRequest request;
  request.set_match_id(match_id);
  if (Status error = impl_->await_connection(impl_->deadline(), keep_going); !error.ok()) return error;
  return Download(*impl_->replays, request, *impl_->security, keep_going).run(sink, impl_->options.timeout);
}

Result<ReplayInfo> Client::get_replay(const std::string& match_id, const std::string& path,
                                      const KeepGoing& keep_going) {
  PartFile file(path);
  if (!file.error().ok()) return file.error();
  auto info = get_replay(
      match_id, [&file](std::string_view bytes) { return file.write(bytes); }, keep_going);
  if (!file.error().ok()) return file.error();
  if (!info.ok()) return info;
  if (Status error = file.complete(); !error.ok()) return error;
  return info;
}

Result<Receipt> Client::get_receipt(const std::string& match_id) {
  v1::GetReplayRequest request;
  request.set_match_id(match_id);
  request.set_receipt_only(true);
  if (Status error = impl_->await_connection(impl_->deadline()); !error.ok()) return error;
  auto info = Download(*impl_->replays, request, *impl_->security, {})
                  .run([](std::string_view) { return true; }, impl_->options.timeout);
  if (!info.ok()) return info.status();
  return std::move(info->receipt);
}

Result<PublicKey> Client::get_public_key() {
  v1::GetPublicKeyResponse response;
  const Status status = impl_->call(*impl_->replays, &v1::ReplayService::Stub::GetPublicKey,
                                    v1::GetPublicKeyRequest(), &response, impl_->deadline());
  if (!status.ok()) return status;
  PublicKey key;
  if (response.public_key().size() != key.bytes.size()) {
    return Status(ErrorCode::kInternal,
                  "the server sent a key of " + std::to_string(response.public_key().size()) + " bytes");
  }
  std::ranges::copy(response.public_key(), key.bytes.begin());
  return key;
}

Result<Verification> Client::verify_replay(std::string_view bytes, const VerificationOptions& options) {
  const std::chrono::milliseconds patience = impl_->options.timeout;
  if (Status error = impl_->await_connection(impl_->deadline(), options.keep_going); !error.ok())
    return error;
  Upload upload(*impl_->replays, *impl_->security, options);
  if (upload.begin(patience)) upload.send(bytes, patience);
  return decode(upload.finish(options.timeout));
}

Result<Verification> Client::verify_replay_file(const std::string& path, const VerificationOptions& options) {
  const File file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (file == nullptr) return file_error(path, "cannot be read", errno);
  const std::chrono::milliseconds patience = impl_->options.timeout;
  if (Status error = impl_->await_connection(impl_->deadline(), options.keep_going); !error.ok())
    return error;
  Upload upload(*impl_->replays, *impl_->security, options);
  bool is_wanted = upload.begin(patience);
  std::string piece(kPieceBytes, '\0');
  while (is_wanted) {
    const std::size_t size = std::fread(piece.data(), 1, piece.size(), file.get());
    if (size == 0) break;
    is_wanted = upload.send(std::string_view(piece).substr(0, size), patience);
  }
  if (std::ferror(file.get()) != 0) return file_error(path, "cannot be read", errno);
  return decode(upload.finish(options.timeout));
}

}  // namespace sweepd
