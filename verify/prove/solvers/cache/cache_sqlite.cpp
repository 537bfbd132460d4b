#include <sqlite3.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "verify/prove/solvers/cache/cache_store.h"

namespace hexproof {
namespace {

/// Of the databases of SQLite, the one that is ours: its application id, "hexp".
constexpr uint32_t kMark = 0x68657870;

/// https://www.sqlite.org/fileformat2.html, "The Database Header": 16 bytes of text, and at 68 the application id.
bool has_mark(const std::string& path) {
  std::array<unsigned char, 72> head{};
  std::ifstream in(path, std::ios::binary);
  if (!in.read(reinterpret_cast<char*>(head.data()), head.size())) return false;
  uint32_t mark = 0;
  for (size_t k = 68; k < head.size(); ++k) mark = mark << 8 | head[k];
  return mark == kMark && std::memcmp(head.data(), "SQLite format 3", 16) == 0;
}

int64_t microseconds_now() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(since).count();
}

constexpr const char* kSetMark = "PRAGMA application_id=1751480432";
static_assert(kMark == 1751480432);

class SqliteStore : public CacheStore {
 public:
  SqliteStore(std::string path, int64_t most_bytes) : path_(std::move(path)), most_(most_bytes) {
    std::error_code ignored;
    const std::filesystem::path there = std::filesystem::weakly_canonical(path_, ignored);
    if (!ignored) path_ = there.string();  // where links lead
    if (auto folder = std::filesystem::path(path_).parent_path(); !folder.empty()) {
      std::filesystem::create_directories(folder, ignored);
    }
  }
  ~SqliteStore() override {
    if (db_ && (!found_.empty() || stored_ > 0) && inode_now() == inode_) {
      tell_used();
      if (stored_ > 0) make_room();
    }
    close();
  }

  std::optional<std::string> get(const std::string& key) override {
    if (!usable()) return {};
    sqlite3_bind_text(get_, 1, key.c_str(), -1, SQLITE_STATIC);
    const int code = sqlite3_step(get_);
    std::optional<std::string> out;
    if (code == SQLITE_ROW) {
      const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(get_, 0));
      if (text) out = std::string(text, sqlite3_column_bytes(get_, 0));
    }
    sqlite3_reset(get_);
    after(code);
    if (out) found_.insert(key);
    return out;
  }

  void put(const std::string& key, const std::string& text) override {
    if (!usable()) return;
    sqlite3_bind_text(put_, 1, key.c_str(), -1, SQLITE_STATIC);
    sqlite3_bind_text(put_, 2, text.c_str(), static_cast<int>(text.size()), SQLITE_STATIC);
    sqlite3_bind_int64(put_, 3, microseconds_now());
    const int code = sqlite3_step(put_);
    sqlite3_reset(put_);
    after(code);
    constexpr size_t kBetween = 256;
    if (++stored_ % kBetween == 0 && db_) make_room();
  }

 private:
  void close() {
    for (sqlite3_stmt** one : {&get_, &put_, &used_}) {
      sqlite3_finalize(*one);
      *one = nullptr;
    }
    sqlite3_close(db_);
    db_ = nullptr;
  }

  ino_t inode_now() const {
    struct stat info {};
    return stat(path_.c_str(), &info) == 0 ? info.st_ino : 0;
  }

  bool run(const char* sql) { return sqlite3_exec(db_, sql, nullptr, nullptr, nullptr) == SQLITE_OK; }
  bool prepare(const char* sql, sqlite3_stmt** out) {
    return sqlite3_prepare_v2(db_, sql, -1, out, nullptr) == SQLITE_OK;
  }
  int64_t number(const char* sql) {
    sqlite3_stmt* asked = nullptr;
    int64_t out = 0;
    if (prepare(sql, &asked) && sqlite3_step(asked) == SQLITE_ROW) out = sqlite3_column_int64(asked, 0);
    sqlite3_finalize(asked);
    return out;
  }

  bool open() {
    if (!may_keep_cache(path_)) return false;
    if (sqlite3_open_v2(path_.c_str(), &db_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                        nullptr) != SQLITE_OK) {
      close();
      return false;
    }
    sqlite3_busy_timeout(db_, 10'000);
    // Processes that open a new file at once meet in the change of the journal, for which SQLite does not wait by
    // itself.
    auto run_patiently = [&](const char* sql) {
      for (int tries = 0; tries < 200; ++tries) {
        if (run(sql)) return true;
        if (sqlite3_errcode(db_) != SQLITE_BUSY) return false;
        sqlite3_sleep(5);
      }
      return false;
    };
    // The mark first, and in the file itself: what is behind a log is not seen by who looks at the file.
    const bool ok = (number("PRAGMA application_id") == kMark || run_patiently(kSetMark)) &&
                    run_patiently("PRAGMA journal_mode=WAL") && run("PRAGMA synchronous=NORMAL") &&
                    run("CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, answer TEXT NOT NULL, used INTEGER "
                        "NOT NULL) WITHOUT ROWID") &&
                    run("CREATE INDEX IF NOT EXISTS by_use ON answers (used)") &&
                    prepare("SELECT answer FROM answers WHERE key = ?", &get_) &&
                    prepare("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", &put_) &&
                    prepare("UPDATE answers SET used = ? WHERE key = ?", &used_);
    if (ok) {
      inode_ = inode_now();
      return true;
    }
    const int error = sqlite3_errcode(db_);
    close();
    if (error == SQLITE_BUSY || error == SQLITE_LOCKED) return false;
    return rebuild();
  }

  /// Ours, and damaged or of another shape: it is only a cache, so begin anew, once.
  bool rebuild() {
    close();
    if (++rebuilds_ > 2 || !may_keep_cache(path_)) return false;
    std::error_code ignored;
    for (const std::string& file : cache_files(path_)) std::filesystem::remove(file, ignored);
    return open();
  }

  /// Somebody deleted or replaced the file: what is open is a ghost.
  bool usable() {
    if (db_ && inode_now() == inode_) return true;
    close();
    return open();
  }

  void after(int code) {
    if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB) rebuild();
  }

  /// Entries that were found are younger than those that were not: written together, since each is a write.
  void tell_used() {
    if (found_.empty() || !run("BEGIN IMMEDIATE")) return;
    const int64_t now = microseconds_now();
    for (const std::string& key : found_) {
      sqlite3_bind_int64(used_, 1, now);
      sqlite3_bind_text(used_, 2, key.c_str(), -1, SQLITE_STATIC);
      sqlite3_step(used_);
      sqlite3_reset(used_);
    }
    run("COMMIT");
    found_.clear();
  }

  int64_t bytes_used() {
    return (number("PRAGMA page_count") - number("PRAGMA freelist_count")) * number("PRAGMA page_size");
  }
  /// Pages of entries that went are used again before the file grows.
  void make_room() {
    if (bytes_used() <= most_) return;
    tell_used();
    for (int rounds = 0; rounds < 20 && bytes_used() > most_ * 3 / 4; ++rounds) {
      if (!run("DELETE FROM answers WHERE key IN (SELECT key FROM answers ORDER BY used LIMIT (SELECT 1 + count(*) / 8 "
               "FROM answers))")) {
        return;
      }
    }
  }

  std::string path_;
  int64_t most_;
  sqlite3* db_ = nullptr;
  sqlite3_stmt *get_ = nullptr, *put_ = nullptr, *used_ = nullptr;
  ino_t inode_ = 0;
  int rebuilds_ = 0;
  size_t stored_ = 0;
  std::set<std::string> found_;
};

}  // namespace

bool may_keep_cache(const std::string& path) {
  namespace fs = std::filesystem;
  constexpr int kTries = 50;  // another process may be about to begin a cache there
  for (int tries = 0; tries < kTries; ++tries) {
    std::error_code error;
    const fs::file_status there = fs::status(path, error);
    const bool none = there.type() == fs::file_type::not_found;
    if (!none && !fs::is_regular_file(there)) return false;
    if (!none && has_mark(path)) return true;
    if (!none && (fs::file_size(path, error) != 0 || error)) return false;
    // SQLite takes what lies beside a database for its own.
    const std::vector<std::string> all = cache_files(path);
    const bool alone = std::none_of(all.begin() + 1, all.end(), [&](const std::string& beside) {
      return fs::symlink_status(beside, error).type() != fs::file_type::not_found;
    });
    if (alone) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

std::vector<std::string> cache_files(const std::string& path) {
  return {path, path + "-wal", path + "-shm", path + "-journal"};
}

std::unique_ptr<CacheStore> open_sqlite_store(const std::string& path, int64_t most_bytes) {
  return std::make_unique<SqliteStore>(path, most_bytes);
}

}  // namespace hexproof
