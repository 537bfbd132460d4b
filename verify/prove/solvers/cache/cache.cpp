#include "verify/prove/solvers/cache/cache.h"

#include <atomic>
#include <sstream>

#include "ir/base/codes.h"
#include "ir/base/diagnostic.h"
#include "ir/base/digest.h"
#include "ir/base/wide_text.h"
#include "verify/prove/solvers/cache/cache_store.h"

namespace hexproof {
namespace {

/// One line per field; the last line is a digest of the others, so that a damaged row is not believed.
std::string to_text(const std::string& key, const CachedAnswer& a) {
  std::ostringstream out;
  std::string reason = a.reason;
  for (char& c : reason) c = c == '\n' ? ' ' : c;
  out << int(a.verdict) << '\n' << a.solver << '\n' << reason << '\n' << a.rlimit << '\n' << a.values.size() << '\n';
  for (Wide v : a.values) out << to_string(v) << '\n';
  return out.str() + sha256(key + out.str());
}

std::optional<CachedAnswer> from_text(const std::string& key, const std::string& text) {
  if (text.size() < 64 || sha256(key + text.substr(0, text.size() - 64)) != text.substr(text.size() - 64)) return {};
  std::istringstream in(text);
  CachedAnswer a;
  std::string verdict, rlimit, count, line;
  std::getline(in, verdict), std::getline(in, a.solver), std::getline(in, a.reason);
  std::getline(in, rlimit), std::getline(in, count);
  const std::optional<Wide> v = parse_wide(verdict), limit = parse_wide(rlimit), n = parse_wide(count);
  if (!v || !limit || !n || *v < 0 || *v > 2) return {};
  a.verdict = static_cast<Verdict>(*v);
  a.rlimit = static_cast<uint64_t>(*limit);
  for (Wide i = 0; i < *n; ++i) {
    if (!std::getline(in, line)) return {};
    const std::optional<Wide> value = parse_wide(line);
    if (!value) return {};
    a.values.push_back(*value);
  }
  return a;
}

}  // namespace

namespace {
std::atomic<int64_t> most_bytes{Cache::kMostBytes};
std::atomic<size_t> asked_of_kept{0}, found_in_kept{0};
}  // namespace

void demand_cache(const std::string& path) {
  const size_t scheme = path.find("://");
  if (is_redis(path)) {
    if (const std::string fault = fault_of_redis(path); !fault.empty())
      throw CodedError(Code::Option,
                       "the address of the cache is no redis://[[USER]:PASSWORD@]HOST[:PORT][/NUMBER]: " + fault);
  } else if (scheme != path.npos && path.find('/') > scheme) {
    // (A file below a folder "https:" is nobody's wish, and a password may stand in it.)
    throw CodedError(Code::Option,
                     "proofs are kept in a file or at redis://HOST, and not at " + path.substr(0, scheme) + "://");
  } else if (!path.empty() && !may_keep_cache(path)) {
    throw CodedError(Code::CannotWrite, "cannot keep proofs in '" + path +
                                            "': what stands there is no cache of hexproof, and is left as it is");
  }
}

void Cache::bound(int64_t bytes) { most_bytes = bytes; }

Cache::Use Cache::use() { return {asked_of_kept, found_in_kept}; }

Cache::Cache(const std::string& path) {
  if (!path.empty()) kept_ = is_redis(path) ? open_redis_store(path) : open_sqlite_store(path, most_bytes);
}

Cache::~Cache() = default;

std::optional<CachedAnswer> Cache::find(const std::string& key) {
  std::lock_guard lock(mutex_);
  if (auto it = memory_.find(key); it != memory_.end()) return it->second;
  if (!kept_) return {};
  const std::optional<std::string> text = kept_->get(key);
  std::optional<CachedAnswer> out = text ? from_text(key, *text) : std::nullopt;
  found_in_kept += out.has_value();
  asked_of_kept += out || missed_.insert(key).second;
  if (out) memory_.emplace(key, *out);
  return out;
}

void Cache::store(const std::string& key, const CachedAnswer& answer) {
  std::lock_guard lock(mutex_);
  memory_[key] = answer;
  if (kept_) kept_->put(key, to_text(key, answer));
}

}  // namespace hexproof
