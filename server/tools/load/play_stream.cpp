// SPDX-License-Identifier: MIT
#include "tools/load/play_stream.h"

namespace sweepd::tools::load {
namespace {

constexpr char kPlayMethod[] = "/sweepd.v1.MatchService/Play";
constexpr int kReceiveBytesMax = 64 << 20;

}  // namespace

std::shared_ptr<grpc::Channel> open_load_channel(const std::string& target,
                                                 const std::shared_ptr<grpc::ChannelCredentials>& credentials,
                                                 const std::string& server_name) {
  grpc::ChannelArguments arguments;
  // Channels to one target share a connection unless each has subchannels of its own.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  // Whatever costs this process something and the server nothing is left out.
  arguments.SetInt(GRPC_ARG_MINIMAL_STACK, 1);
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  arguments.SetInt(GRPC_ARG_ENABLE_CHANNELZ, 0);
  arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  arguments.SetInt(GRPC_ARG_SERVICE_CONFIG_DISABLE_RESOLUTION, 1);
  arguments.SetMaxReceiveMessageSize(kReceiveBytesMax);
  if (!server_name.empty()) arguments.SetSslTargetNameOverride(server_name);
  return grpc::CreateCustomChannel(target, credentials, arguments);
}

PlayStream::PlayStream(const std::shared_ptr<grpc::Channel>& channel, grpc::CompletionQueue& queue,
                       StreamListener& listener, const std::string& authorization)
    : listener_(listener), stub_(channel) {
  context_.set_wait_for_ready(true);
  if (!authorization.empty()) context_.AddMetadata("authorization", authorization);
  call_ = stub_.PrepareCall(&context_, kPlayMethod, &queue);
}

void PlayStream::open() {
  state_ = State::kOpening;
  call_->StartCall(&started_);
}

void PlayStream::write(const grpc::ByteBuffer& message) {
  is_writing_ = true;
  call_->Write(message, &written_);
}

void PlayStream::read() {
  is_reading_ = true;
  call_->Read(&incoming_, &read_);
}

void PlayStream::finish() {
  if (is_finishing_) return;
  is_finishing_ = true;
  state_ = State::kFinishing;
  call_->Finish(&status_, &finished_);
}

void PlayStream::cancel() {
  context_.TryCancel();
  // Else the read that is under way fails, and the rest follows.
  if (state_ == State::kOpen && !is_reading_) finish();
}

void PlayStream::on_started(bool ok) {
  if (!ok) return finish();
  state_ = State::kOpen;
  read();
  listener_.on_open();
}

void PlayStream::on_read(bool ok) {
  is_reading_ = false;
  if (!ok) {
    finish();
    return close_if_idle();
  }
  listener_.on_message(incoming_);
  incoming_.Clear();
  if (reads_ && state_ == State::kOpen) read();
}

void PlayStream::on_write(bool ok) {
  is_writing_ = false;
  if (state_ != State::kOpen) return close_if_idle();
  // A write fails where the stream is over. A stream that does not read would not learn of it otherwise.
  if (!ok && !is_reading_) return finish();
  if (ok) listener_.on_written();
}

void PlayStream::on_finished(bool) {
  is_finishing_ = false;
  state_ = State::kClosed;
  close_if_idle();
}

void PlayStream::close_if_idle() {
  if (state_ != State::kClosed || is_writing_ || is_reading_) return;
  listener_.on_closed(status_);
}

}  // namespace sweepd::tools::load
