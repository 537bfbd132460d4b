#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <vector>

#include "verify/prove/solvers/cache/cache_store.h"

namespace hexproof {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kMilliseconds = 2000;       // for one answer
constexpr size_t kMostBytes = 64u << 20;  // of one

bool digits(const std::string& text, size_t most) {
  return !text.empty() && text.size() <= most && text.find_first_not_of("0123456789") == text.npos;
}

/// "redis://[[USER]:PASSWORD@]HOST[:PORT][/NUMBER]"
struct Address {
  std::string user, password, host, port = "6379", number;
  std::string fault;  // why it is no address, without any part of it: a password may be one

  explicit Address(std::string text) {
    text.erase(0, text.find("//") + 2);
    if (size_t at = text.rfind('@'); at != text.npos) {
      const size_t colon = std::min(at, text.find(':'));
      user = text.substr(0, colon);
      if (colon < at) password = text.substr(colon + 1, at - colon - 1);
      if (password.empty()) fault = "there is no password in front of its @";
      text.erase(0, at + 1);
    }
    if (size_t slash = text.find('/'); slash != text.npos) {
      number = text.substr(slash + 1);
      if (!number.empty() && !digits(number, 9)) fault = "what stands behind its host is no number of a database";
      text.erase(slash);
    }
    // "[::1]:6379"
    const bool bracket = text.starts_with("[");
    const size_t end = bracket ? std::min(text.find(']'), text.size()) + 1 : std::min(text.find(':'), text.size());
    host = bracket ? text.substr(1, end - 2) : text.substr(0, end);
    const bool open = bracket && end > text.size();
    if (!open && end < text.size()) {
      port = text.substr(end + 1);
      if (text[end] != ':' || !digits(port, 5) || std::stoi(port) < 1 || std::stoi(port) > 65535)
        fault = "its port is no number from 1 to 65535";
    }
    if (host.empty()) fault = "it names no host";
    const std::string never = bracket ? "[ \t\r\n?#%@" : "[] \t\r\n?#%@";
    if (open || host.find_first_of(never) != host.npos) fault = "its host is no name and no address";
  }
};

/// A connection that speaks RESP, Redis's protocol: commands are arrays of strings, an answer is a string or a line.
class RedisStore : public CacheStore {
 public:
  explicit RedisStore(const std::string& url) : address_(url), failed_(!address_.fault.empty()) {}
  ~RedisStore() override { hang_up(); }

  std::optional<std::string> get(const std::string& key) override {
    // Whoever is asked for lives another month.
    std::optional<std::string> out = ask({"GETEX", name_of(key), "EX", kMonth});
    return out;
  }
  void put(const std::string& key, const std::string& text) override { ask({"SET", name_of(key), text, "EX", kMonth}); }

 private:
  static constexpr const char* kMonth = "2592000";  // seconds
  static std::string name_of(const std::string& key) { return "hexproof:1:" + key; }

  void hang_up() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
    received_.clear();
  }
  std::nullopt_t fail() {
    hang_up();
    failed_ = true;
    return std::nullopt;
  }

  bool wait(short events, Clock::time_point until) const {
    pollfd one{socket_, events, 0};
    for (;;) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
      if (left <= 0) return false;
      const int ready = poll(&one, 1, static_cast<int>(left));
      if (ready > 0) return true;
      if (ready == 0 || errno != EINTR) return false;
    }
  }

  bool connect_to() {
    addrinfo wanted{}, *found = nullptr;
    wanted.ai_socktype = SOCK_STREAM;
    if (getaddrinfo(address_.host.c_str(), address_.port.c_str(), &wanted, &found) != 0) return false;
    const auto until = Clock::now() + std::chrono::milliseconds(kMilliseconds);
    for (const addrinfo* one = found; one && socket_ < 0; one = one->ai_next) {
      socket_ = socket(one->ai_family, one->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, one->ai_protocol);
      if (socket_ < 0) continue;
      int error = 0;
      socklen_t size = sizeof error;
      const bool begun = connect(socket_, one->ai_addr, one->ai_addrlen) == 0 || errno == EINPROGRESS;
      if (begun && wait(POLLOUT, until) && getsockopt(socket_, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0)
        break;
      hang_up();
    }
    freeaddrinfo(found);
    if (socket_ < 0) return false;
    if (!address_.password.empty()) {
      std::vector<std::string> auth = {"AUTH", address_.password};
      if (!address_.user.empty()) auth.insert(auth.begin() + 1, address_.user);
      if (!exchange(auth)) return false;
    }
    return address_.number.empty() || exchange({"SELECT", address_.number});
  }

  bool send_all(const std::string& bytes, Clock::time_point until) {
    for (size_t sent = 0; sent < bytes.size();) {
      const ssize_t n = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (n > 0) {
        sent += static_cast<size_t>(n);
      } else if (n == 0 || (errno != EAGAIN && errno != EINTR) || !wait(POLLOUT, until)) {
        return false;
      }
    }
    return true;
  }
  bool receive(size_t bytes, Clock::time_point until) {
    while (received_.size() < bytes) {
      if (bytes > kMostBytes || !wait(POLLIN, until)) return false;
      char part[16384];
      const ssize_t n = ::recv(socket_, part, sizeof part, 0);
      if (n <= 0) return false;
      received_.append(part, static_cast<size_t>(n));
    }
    return true;
  }
  std::optional<std::string> line(Clock::time_point until) {
    for (size_t from = 0;;) {
      const size_t end = received_.find("\r\n", from);
      if (end != received_.npos) {
        std::string out = received_.substr(0, end);
        received_.erase(0, end + 2);
        return out;
      }
      from = received_.empty() ? 0 : received_.size() - 1;
      if (received_.size() > 4096 || !receive(received_.size() + 1, until)) return std::nullopt;
    }
  }

  /// What the server says; an empty one where it has nothing; nothing when it says no such thing.
  std::optional<std::optional<std::string>> exchange(const std::vector<std::string>& words) {
    std::string command = "*" + std::to_string(words.size()) + "\r\n";
    for (const std::string& word : words) command += "$" + std::to_string(word.size()) + "\r\n" + word + "\r\n";
    const auto until = Clock::now() + std::chrono::milliseconds(kMilliseconds);
    if (!send_all(command, until)) return std::nullopt;
    const std::optional<std::string> head = line(until);
    if (!head || head->empty() || head->front() == '-') return std::nullopt;
    if (head->front() != '$') return std::optional<std::string>(head->substr(1));
    if (head->size() > 10) return std::nullopt;
    const long size = std::strtol(head->c_str() + 1, nullptr, 10);
    if (size < 0) return std::optional<std::string>();
    if (!receive(static_cast<size_t>(size) + 2, until)) return std::nullopt;
    std::string out = received_.substr(0, static_cast<size_t>(size));
    received_.erase(0, static_cast<size_t>(size) + 2);
    return std::optional<std::string>(out);
  }

  std::optional<std::string> ask(const std::vector<std::string>& words) {
    if (failed_) return std::nullopt;
    if (socket_ < 0 && !connect_to()) return fail();
    const auto answer = exchange(words);
    if (!answer) return fail();
    return *answer;
  }

  Address address_;
  int socket_ = -1;
  bool failed_;  // and is not asked again: a cache that is slow is worse than none
  std::string received_;
};

}  // namespace

std::unique_ptr<CacheStore> open_redis_store(const std::string& url) { return std::make_unique<RedisStore>(url); }

bool is_redis(const std::string& path) { return path.starts_with("redis://"); }

std::string fault_of_redis(const std::string& url) { return Address(url).fault; }

}  // namespace hexproof
