// Answers that were found before: in memory, and in an SQLite file that several processes share, or on a Redis server.
#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "verify/prove/obligation.h"

namespace hexproof {

class CacheStore;

/// May a cache be kept in a file of this path: nothing stands there, or an empty file, and nothing in the places of the
/// other files that it consists of; or one with the mark of a cache?
bool may_keep_cache(const std::string& path);
/// The files that a cache of this path consists of, the path itself first.
std::vector<std::string> cache_files(const std::string& path);
/// Is it the address of a server that keeps one?
bool is_redis(const std::string& path);
/// Error when proofs cannot be kept there, whatever happens: what stands at the path is no cache, or the address of a
/// server is none. (An empty path is memory.)
void demand_cache(const std::string& path);

/// An answer without names: values stand in the order of the script's inputs.
struct CachedAnswer {
  Verdict verdict = Verdict::Unknown;
  std::string solver;
  std::string reason;
  std::vector<Wide> values;
  uint64_t rlimit = 0;
  friend bool operator==(const CachedAnswer&, const CachedAnswer&) = default;
};

/// Keyed by a digest of the canonical script, the limits and the versions of the solvers: an entry never goes stale.
/// The file may be deleted at any time, also while it is in use; one of ours that is corrupt is thrown away
/// and begun anew; when it cannot be written at all, or a server does not answer, the cache works in memory alone. No
/// failure here is ever an error of a proof.
/// A file that is no cache is never touched, whatever it is.
class Cache {
 public:
  /// An empty path: memory only. "redis://HOST:PORT": a server; else a file.
  explicit Cache(const std::string& path);
  ~Cache();
  Cache(const Cache&) = delete;

  /// How large files may become that this process opens from here on.
  static void bound(int64_t bytes);
  static constexpr int64_t kMostBytes = int64_t{256} << 20;

  /// Questions that this process asked of what is kept between runs, each once, and how many were answered there.
  struct Use {
    size_t asked = 0, found = 0;
  };
  static Use use();

  std::optional<CachedAnswer> find(const std::string& key);
  void store(const std::string& key, const CachedAnswer& answer);

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, CachedAnswer> memory_;
  std::unordered_set<std::string> missed_;
  std::unique_ptr<CacheStore> kept_;
};

}  // namespace hexproof
