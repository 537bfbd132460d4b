// Where the cache keeps its entries between runs. An entry is a text under a key; no failure here is ever told.
#pragma once
#include <memory>
#include <optional>
#include <string>

namespace hexproof {

class CacheStore {
 public:
  virtual ~CacheStore() = default;
  virtual std::optional<std::string> get(const std::string& key) = 0;
  virtual void put(const std::string& key, const std::string& text) = 0;
};

/// An SQLite file that several processes share. Past `most_bytes` those entries go that were not used for longest.
std::unique_ptr<CacheStore> open_sqlite_store(const std::string& path, int64_t most_bytes);
/// A Redis server that machines share: "redis://[[USER]:PASSWORD@]HOST[:PORT][/NUMBER]". It bounds itself
/// (maxmemory); an entry that nobody asked for in a month goes. Without an answer in time it is not asked again.
std::unique_ptr<CacheStore> open_redis_store(const std::string& url);
/// Why this is no such address, in words that repeat nothing of it; empty: it is one.
std::string fault_of_redis(const std::string& url);

}  // namespace hexproof
