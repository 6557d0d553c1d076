// SPDX-License-Identifier: MIT
#include "runtime/journal/wal_check.h"

#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>

#include "runtime/journal/sqlite.h"

namespace sweepd::runtime {
namespace {

constexpr std::size_t kHeaderBytes = 32;
constexpr std::size_t kFrameHeaderBytes = 24;
constexpr std::size_t kSaltsAt = 8;  // In a frame; in the header, 16.
constexpr std::size_t kSumsAt = 16;  // In a frame: of its first eight bytes and its page; in the header, 24.
constexpr std::uint32_t kMagic = 0x377f0682;  // The lowest bit: sums are of big-endian words.
constexpr std::uint32_t kPageBytesMin = 512;
constexpr std::uint32_t kPageBytesMax = 65'536;
constexpr std::uint32_t kUsualPageBytes = 8192;

using Sum = std::array<std::uint32_t, 2>;

std::uint32_t word_at(std::string_view bytes, std::size_t at, bool is_big_endian = true) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i)
    word = word << 8 | static_cast<std::uint8_t>(bytes[at + (is_big_endian ? i : 3 - i)]);
  return word;
}

bool is_page_size(std::uint32_t bytes) {
  return bytes >= kPageBytesMin && bytes <= kPageBytesMax && std::has_single_bit(bytes);
}

/// SQLite's: of pairs of words, on top of what came before.
Sum add(Sum sum, std::string_view bytes, bool is_big_endian) {
  for (std::size_t at = 0; at < bytes.size(); at += 8) {
    sum[0] += word_at(bytes, at, is_big_endian) + sum[1];
    sum[1] += word_at(bytes, at + 4, is_big_endian) + sum[0];
  }
  return sum;
}

class WalCheck {
 public:
  explicit WalCheck(std::ifstream& file) : file_(file) {}

  std::optional<WalDamage> run() {
    std::string header;
    if (!read(header, kHeaderBytes)) return std::nullopt;
    is_damaged_ = !take_header(header);
    for (offset_ = kHeaderBytes; read(frame_, kFrameHeaderBytes + page_bytes_); offset_ += frame_.size())
      take_frame();
    return damage_.commits > 0 ? std::optional(damage_) : std::nullopt;
  }

 private:
  bool read(std::string& bytes, std::size_t size) {
    bytes.resize(size);
    file_.read(bytes.data(), static_cast<std::streamsize>(size));
    return static_cast<std::size_t>(file_.gcount()) == size;
  }

  /// False: it is damaged, and then the frames tell what it should have said.
  bool take_header(const std::string& header) {
    const std::string_view bytes = header;
    is_big_endian_ = (word_at(bytes, 0) & 1) != 0;
    stored_ = computed_ = {word_at(bytes, 24), word_at(bytes, 28)};
    salts_ = bytes.substr(16, 8);
    const std::uint32_t page_bytes = word_at(bytes, 8);
    const bool is_good = (word_at(bytes, 0) & ~1u) == kMagic && is_page_size(page_bytes) &&
                         add({0, 0}, bytes.substr(0, 24), is_big_endian_) == stored_;
    if (is_good) {
      page_bytes_ = page_bytes;
    } else {
      is_big_endian_ = std::endian::native == std::endian::big;
      salts_.clear();
    }
    return is_good;
  }

  /// Good is what goes on from the frame before: from its sum as it stands there, or as it should be.
  void take_frame() {
    const std::string_view frame = frame_;
    if (salts_.empty()) salts_ = frame.substr(kSaltsAt, 8);
    const bool is_of_this_round = frame.substr(kSaltsAt, 8) == salts_;
    const Sum sum{word_at(frame, kSumsAt), word_at(frame, kSumsAt + 4)};
    const Sum after_stored = sum_after(stored_, frame);
    const Sum after_computed = stored_ == computed_ ? after_stored : sum_after(computed_, frame);
    const bool is_good = is_of_this_round && (after_stored == sum || after_computed == sum);
    if (!is_good && !is_damaged_) {
      is_damaged_ = true;
      damage_.offset = offset_;
    }
    // What an older round of the log has left behind is in no transaction.
    if (is_damaged_ && is_of_this_round) ++damage_.frames;
    if (is_damaged_ && is_good && word_at(frame, 4) != 0) ++damage_.commits;
    stored_ = sum;
    computed_ = after_computed;
  }

  Sum sum_after(const Sum& sum, std::string_view frame) const {
    return add(add(sum, frame.substr(0, 8), is_big_endian_), frame.substr(kFrameHeaderBytes), is_big_endian_);
  }

  std::ifstream& file_;
  bool is_big_endian_ = false;
  std::uint32_t page_bytes_ = kUsualPageBytes;
  std::string salts_;  ///< Of this round of the log.
  std::string frame_;
  std::uint64_t offset_ = 0;
  Sum stored_{};    ///< Of the frame before, as it says.
  Sum computed_{};  ///< The same as it should be.
  bool is_damaged_ = false;
  WalDamage damage_;
};

}  // namespace

std::optional<WalDamage> find_wal_damage(const std::filesystem::path& wal) {
  std::error_code error;
  if (!std::filesystem::exists(wal, error)) {
    if (!error) return std::nullopt;
    throw StorageFailure(0, "cannot read " + wal.string() + ": " + error.message(), error.value());
  }
  std::ifstream file(wal, std::ios::binary);
  auto damage = WalCheck(file).run();
  if (file.is_open() && !file.bad()) return damage;
  const int number = errno;
  throw StorageFailure(0, "cannot read " + wal.string() + ": " + std::strerror(number), number);
}

std::string describe(const WalDamage& damage) {
  return "its write-ahead log is damaged at byte " + std::to_string(damage.offset) + ": what follows, " +
         std::to_string(damage.commits) + (damage.commits == 1 ? " commit" : " commits") + " in " +
         std::to_string(damage.frames) + " pages, is lost";
}

}  // namespace sweepd::runtime
