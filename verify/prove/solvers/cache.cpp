#include "verify/prove/solvers/cache.h"

#include <sqlite3.h>
#include <sys/stat.h>

#include <filesystem>
#include <sstream>

#include "ir/base/digest.h"
#include "ir/base/wide_text.h"

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

struct Cache::Disk {
  std::string path;
  sqlite3* db = nullptr;
  sqlite3_stmt *get = nullptr, *put = nullptr;
  ino_t inode = 0;
  int rebuilds = 0;

  void close() {
    sqlite3_finalize(get), sqlite3_finalize(put);
    sqlite3_close(db);
    get = put = nullptr;
    db = nullptr;
  }

  ino_t inode_now() const {
    struct stat info {};
    return stat(path.c_str(), &info) == 0 ? info.st_ino : 0;
  }

  bool open() {
    if (sqlite3_open_v2(path.c_str(), &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr) !=
        SQLITE_OK) {
      close();
      return false;
    }
    sqlite3_busy_timeout(db, 10'000);
    auto run = [&](const char* sql) { return sqlite3_exec(db, sql, nullptr, nullptr, nullptr) == SQLITE_OK; };
    // Processes that open a new file at once meet in the change of the journal, for which SQLite does not wait by
    // itself.
    auto run_patiently = [&](const char* sql) {
      for (int tries = 0; tries < 200; ++tries) {
        if (run(sql)) return true;
        if (sqlite3_errcode(db) != SQLITE_BUSY) return false;
        sqlite3_sleep(5);
      }
      return false;
    };
    bool ok = run_patiently("PRAGMA journal_mode=WAL") && run("PRAGMA synchronous=NORMAL") &&
              run("CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, answer TEXT NOT NULL) WITHOUT ROWID") &&
              sqlite3_prepare_v2(db, "SELECT answer FROM answers WHERE key = ?", -1, &get, nullptr) == SQLITE_OK &&
              sqlite3_prepare_v2(db, "INSERT OR REPLACE INTO answers VALUES (?, ?)", -1, &put, nullptr) == SQLITE_OK;
    if (ok) {
      inode = inode_now();
      return true;
    }
    int error = sqlite3_errcode(db);
    close();
    if (error == SQLITE_BUSY || error == SQLITE_LOCKED) return false;
    return rebuild();
  }

  /// Not a database, or one of another shape: it is only a cache, so begin anew, once.
  bool rebuild() {
    close();
    if (++rebuilds > 2) return false;
    std::error_code ignored;
    for (const char* suffix : {"", "-wal", "-shm"}) std::filesystem::remove(path + suffix, ignored);
    return open();
  }

  /// Somebody deleted or replaced the file: what is open is a ghost.
  bool usable() {
    if (db && inode_now() == inode) return true;
    close();
    return open();
  }

  void after(int code) {
    if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB) rebuild();
  }
};

Cache::Cache(std::string path) {
  if (path.empty()) return;
  disk_ = std::make_unique<Disk>();
  disk_->path = std::move(path);
  std::error_code ignored;
  if (auto folder = std::filesystem::path(disk_->path).parent_path(); !folder.empty()) {
    std::filesystem::create_directories(folder, ignored);
  }
}

Cache::~Cache() {
  if (disk_) disk_->close();
}

std::optional<CachedAnswer> Cache::find(const std::string& key) {
  std::lock_guard lock(mutex_);
  if (auto it = memory_.find(key); it != memory_.end()) return it->second;
  if (!disk_ || !disk_->usable()) return {};
  sqlite3_bind_text(disk_->get, 1, key.c_str(), -1, SQLITE_STATIC);
  int code = sqlite3_step(disk_->get);
  std::optional<CachedAnswer> out;
  if (code == SQLITE_ROW) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(disk_->get, 0));
    if (text) out = from_text(key, std::string(text, sqlite3_column_bytes(disk_->get, 0)));
  }
  sqlite3_reset(disk_->get);
  disk_->after(code);
  if (out) memory_.emplace(key, *out);
  return out;
}

void Cache::store(const std::string& key, const CachedAnswer& answer) {
  std::lock_guard lock(mutex_);
  memory_[key] = answer;
  if (!disk_ || !disk_->usable()) return;
  std::string text = to_text(key, answer);
  sqlite3_bind_text(disk_->put, 1, key.c_str(), -1, SQLITE_STATIC);
  sqlite3_bind_text(disk_->put, 2, text.c_str(), static_cast<int>(text.size()), SQLITE_STATIC);
  int code = sqlite3_step(disk_->put);
  sqlite3_reset(disk_->put);
  disk_->after(code);
}

}  // namespace hexproof
