// SPDX-License-Identifier: MIT
#include "identity/strict_json.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/visible_text.h"

namespace sweepd::identity {
namespace {

/// Ends the library's parser early, which has no other way.
struct Refused {
  JsonFault fault;
};

/// Checks the bounds while the parser runs; holds the keys of all open objects.
class Watcher {
 public:
  void see(Json::parse_event_t event, const Json& parsed) {
    using Event = Json::parse_event_t;
    if (event == Event::object_start || event == Event::array_start) {
      if (open_.size() == kJsonDepthMax) throw Refused{{"is nested too deeply"}};
      open_.emplace_back();
    } else if (event == Event::object_end || event == Event::array_end) {
      open_.pop_back();
    } else if (event == Event::key) {
      add_key(parsed.get_ref<const std::string&>());
    }
  }

 private:
  void add_key(const std::string& key) {
    std::vector<std::string>& keys = open_.back();
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) {
      std::string name;
      base::append_escaped(name, key, 64);
      throw Refused{{"has the member \"" + name + "\" twice"}};
    }
    if (keys.size() == kJsonMembersMax) throw Refused{{"has an object of too many members"}};
    keys.push_back(key);
  }

  std::vector<std::vector<std::string>> open_;
};

}  // namespace

base::Result<Json, JsonFault> parse_json_object(std::string_view text) {
  // The library stops at a zero byte and ignores the rest of the text.
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
    return JsonFault{"is no JSON at byte " + std::to_string(zero)};
  }
  Watcher watcher;
  try {
    Json value =
        Json::parse(text.begin(), text.end(), [&watcher](int, Json::parse_event_t event, Json& parsed) {
          watcher.see(event, parsed);
          return true;
        });
    if (!value.is_object()) return JsonFault{"is no JSON object"};
    return value;
  } catch (const Refused& refused) {
    return refused.fault;
  } catch (const Json::parse_error& error) {
    return JsonFault{"is no JSON at byte " + std::to_string(error.byte)};
  } catch (const Json::exception&) {
    return JsonFault{"has a number beyond all bounds"};
  }
}

bool is_plain_text(const Json& value, std::size_t bytes_max) {
  if (!value.is_string()) return false;
  const auto& text = value.get_ref<const std::string&>();
  return !text.empty() && text.size() <= bytes_max && base::visible(text) == text;
}

const Json* find_member(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

}  // namespace sweepd::identity
