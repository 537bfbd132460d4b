// The proof cache on a Redis server as it is installed (./dev installs it), by the command.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>

#include "tests/tools/command_line.h"

namespace hexproof {
namespace redis_test {

namespace fs = std::filesystem;

/// A port that nobody listens at now.
int free_port() {
  const int one = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in at = {};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  EXPECT_EQ(::bind(one, reinterpret_cast<sockaddr*>(&at), size), 0);
  EXPECT_EQ(::getsockname(one, reinterpret_cast<sockaddr*>(&at), &size), 0);
  ::close(one);
  return ntohs(at.sin_port);
}

/// A server of this machine alone that keeps nothing on disk, with a password; it ends with this.
class Server {
 public:
  explicit Server(const std::string& password) : password_(password) {
    // (Somebody else may take the port in between.)
    for (int tries = 0; tries < 5 && !is_ready_; ++tries) start();
    EXPECT_TRUE(is_ready_) << "no redis-server could be started";
  }
  ~Server() { stop(); }
  void stop() {
    if (process_ < 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = -1;
    ::close(log_);
  }
  std::string url(const std::string& login) const {
    return "redis://" + login + "127.0.0.1:" + std::to_string(port_) + "/3";
  }
  /// What the server's own client says of the database.
  std::string says(const std::string& command) const {
    return run_line("redis-cli -h 127.0.0.1 -p " + std::to_string(port_) + " -n 3 --no-auth-warning -a " + password_ +
                    " " + command)
        .text;
  }

 private:
  void start() {
    stop();
    port_ = free_port();
    int out[2];
    ASSERT_EQ(::pipe(out), 0);
    const std::string port = std::to_string(port_), folder = testing::TempDir();
    process_ = ::fork();
    if (process_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // it ends with the tests, however they end
      ::dup2(out[1], STDOUT_FILENO);
      ::close(out[0]);
      ::close(out[1]);
      ::execlp("redis-server", "redis-server", "--bind", "127.0.0.1", "--port", port.c_str(), "--save", "",
               "--appendonly", "no", "--dir", folder.c_str(), "--requirepass", password_.c_str(), nullptr);
      ::_exit(127);
    }
    ::close(out[1]);
    // It tells when it is ready, or ends.
    std::string said;
    char part[4096];
    for (ssize_t n; !is_ready_ && (n = ::read(out[0], part, sizeof part)) > 0;) {
      said.append(part, static_cast<size_t>(n));
      is_ready_ = said.find("Ready to accept connections") != said.npos;
    }
    log_ = out[0];  // (Closed, the server would end at its next line.)
  }

  std::string password_;
  int port_ = 0, log_ = -1;
  pid_t process_ = -1;
  bool is_ready_ = false;
};

bool says(const CommandResult& r, const std::string& text) { return r.text.find(text) != std::string::npos; }

TEST(RedisServer, ASecondRunIsAnsweredThere) {
  Server server("secret");
  const std::string example = HEXPROOF_SOURCE_DIR "/examples/conv1d_padded/";
  auto apply = [&](const std::string& login) {
    return hexproof_command("apply '" + example + "conv1d.py' '" + example + "schedule.py' --cache '" +
                            server.url(login) + "'");
  };
  const CommandResult first = apply(":secret@"), second = apply("default:secret@");
  EXPECT_EQ(first.code, 0) << first.text;
  EXPECT_EQ(second.code, 0) << second.text;
  const size_t none = first.text.find("proof cache: 0 of ");
  ASSERT_NE(none, first.text.npos) << first.text;
  EXPECT_TRUE(says(second, "(100 %)")) << second.text;
  // Each proof is an entry that goes in a month.
  EXPECT_EQ(std::stoi(server.says("dbsize")), std::stoi(first.text.substr(none + 18)));
  std::string key = server.says("randomkey");
  key.erase(key.find_last_not_of('\n') + 1);
  const int seconds = std::stoi(server.says("ttl '" + key + "'"));
  EXPECT_GT(seconds, 29 * 24 * 3600);
  EXPECT_LE(seconds, 31 * 24 * 3600);
  // Who is refused, or finds no server, proves all of it anew.
  const CommandResult refused = apply(":wrong@");
  EXPECT_EQ(refused.code, 0) << refused.text;
  EXPECT_FALSE(says(refused, "(100 %)")) << refused.text;
  server.stop();
  const CommandResult alone = apply(":secret@");
  EXPECT_EQ(alone.code, 0) << alone.text;
  EXPECT_FALSE(says(alone, "(100 %)")) << alone.text;
}

}  // namespace redis_test
}  // namespace hexproof
