#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <vector>

#include "ir/base/interrupt.h"
#include "ir/float_format.h"
#include "verify/prove/effort.h"
#include "verify/prove/solvers/door.h"

namespace hexproof {
namespace {

using Clock = std::chrono::steady_clock;

struct Output {
  bool started = false, out_of_time = false;
  std::string text;
};

/// Runs cvc5 with `input` on its standard input, and collects its standard output and error.
Output run_cvc5(std::vector<std::string> args, const std::string& input, int milliseconds) {
  Output out;
  int to[2], from[2];
  if (pipe2(to, O_CLOEXEC) != 0) return out;
  if (pipe2(from, O_CLOEXEC) != 0) {
    close(to[0]), close(to[1]);
    return out;
  }
  args.insert(args.begin(), "cvc5");
  std::optional<pid_t> child = start_child(args, {to[0], from[1], from[1]});
  out.started = child.has_value();
  close(to[0]), close(from[1]);
  auto deadline = Clock::now() + std::chrono::milliseconds(TimeBudget::milliseconds_left(milliseconds));
  size_t written = 0;
  bool writing = out.started;
  fcntl(to[1], F_SETFL, O_NONBLOCK);
  // A child that ends early must not end us: the signal of a broken pipe is held back in this thread.
  sigset_t broken, before;
  sigemptyset(&broken);
  sigaddset(&broken, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &broken, &before);
  while (out.started) {
    pollfd fds[] = {{from[0], POLLIN, 0}, {writing ? to[1] : -1, POLLOUT, 0}};
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0 || poll(fds, 2, static_cast<int>(left)) == 0) {
      out.out_of_time = true;
      kill(*child, SIGKILL);
      break;
    }
    if (writing && fds[1].revents) {
      ssize_t n = write(to[1], input.data() + written, input.size() - written);
      if (n > 0) written += n;
      if (written == input.size() || (n < 0 && errno != EAGAIN && errno != EINTR)) {
        close(to[1]);
        writing = false;
      }
    }
    if (fds[0].revents) {
      char buffer[4096];
      ssize_t n = read(from[0], buffer, sizeof buffer);
      if (n <= 0) break;
      out.text.append(buffer, n);
    }
  }
  if (writing || !out.started) close(to[1]);
  close(from[0]);
  if (out.started) wait_child(*child, true);
  timespec now{};
  while (sigtimedwait(&broken, nullptr, &now) > 0) {
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return out;
}

/// Reads "((v0 (- 5)) (v1 #b01) (v2 true) (v3 (fp #b0 #b10 #b11)))".
class ValueReader {
 public:
  ValueReader(const Script& script, const std::string& text) : script_(script), text_(text) {}

  std::map<std::string, Wide> read() {
    std::map<std::string, Wide> values;
    expect("(");
    while (expect("(")) {
      std::string name = token();
      Wide value = 0;
      if (!one(type_of(name), &value) || !expect(")")) break;
      values.emplace(name, value);
    }
    return values;
  }

 private:
  DType type_of(const std::string& name) const {
    for (const ScriptInput& input : script_.inputs) {
      if (input.name == name) return input.type;
    }
    return kBool;
  }
  std::string token() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    size_t start = at_;
    if (at_ < text_.size() && std::strchr("()", text_[at_])) return text_.substr(at_++, 1);
    while (at_ < text_.size() && !std::isspace(static_cast<unsigned char>(text_[at_])) &&
           !std::strchr("()", text_[at_])) {
      ++at_;
    }
    return text_.substr(start, at_ - start);
  }
  bool expect(const char* what) {
    size_t before = at_;
    if (token() == what) return true;
    at_ = before;
    return false;
  }
  static bool digits(const std::string& text, int base, Wide* out) {
    unsigned __int128 value = 0;
    for (char c : text) {
      if (c < '0' || c >= '0' + base || value >> 122) return false;
      value = value * base + (c - '0');
    }
    *out = static_cast<Wide>(value);
    return !text.empty();
  }
  bool bits(const std::string& text, Wide* out) { return text.starts_with("#b") && digits(text.substr(2), 2, out); }
  bool one(DType type, Wide* out) {
    std::string t = token();
    if (t == "true" || t == "false") return *out = t == "true", true;
    if (t.starts_with("#b")) {
      if (!bits(t, out)) return false;
      bool is_signed = script_.reading == Reading::WideBits || type.is_int();
      int width = static_cast<int>(t.size()) - 2;
      if (is_signed && width < 127 && (*out >> (width - 1) & 1)) *out -= Wide{1} << width;
      return true;
    }
    if (t != "(") return digits(t, 10, out);
    t = token();
    if (t == "-") {
      if (!digits(token(), 10, out)) return false;
      *out = -*out;
      return expect(")");
    }
    if (t == "fp") {
      Wide part;
      *out = 0;
      for (int i = 0; i < 3; ++i) {
        std::string field = token();
        if (!bits(field, &part)) return false;
        *out = (*out << (field.size() - 2)) | part;
      }
      return expect(")");
    }
    if (t != "_") return false;
    std::string which = token();
    token(), token();
    const FloatFormat format = float_format(type);
    Wide infinity = format.infinity(), nan = format.nan(), sign = format.sign();
    *out = which == "NaN"     ? nan
           : which == "+oo"   ? infinity
           : which == "-oo"   ? infinity | sign
           : which == "-zero" ? sign
                              : 0;
    return expect(")");
  }

  const Script& script_;
  const std::string& text_;
  size_t at_ = 0;
};

}  // namespace

SolverAnswer ask_cvc5(const Script& script, uint64_t rlimit, int milliseconds) {
  SolverAnswer answer;
  if (cvc5_version() == "none") {
    answer.reason = "the program cvc5 is not installed";
    return answer;
  }
  std::string input = "(set-logic " + script.logic + ")\n" + script.text + "(check-sat)\n";
  if (!script.inputs.empty()) {
    input += "(get-value (";
    for (const ScriptInput& i : script.inputs) input.append(i.name).append(" ");
    input += "))\n";
  }
  Output out =
      run_cvc5({"--lang=smt2", "--produce-models", "--rlimit=" + std::to_string(rlimit), "-"}, input, milliseconds);
  if (out.out_of_time) {
    answer.wall_clock = true;
    answer.reason = "wall-clock limit";
  } else if (out.text.starts_with("unsat")) {
    answer.satisfiable = Satisfiable::No;
  } else if (out.text.starts_with("sat")) {
    answer.satisfiable = Satisfiable::Yes;
    std::string values = out.text.substr(3);
    answer.values = ValueReader(script, values).read();
  } else {
    answer.reason =
        out.text.starts_with("unknown") ? "resource limit or incomplete" : "cvc5: " + out.text.substr(0, 200);
  }
  return answer;
}

const std::string& cvc5_version() {
  static const std::string version = [] {
    Output out = run_cvc5({"--version"}, "", 10'000);
    std::string line = out.text.substr(0, out.text.find('\n'));
    return out.started && line.find("version") != std::string::npos ? line : std::string("none");
  }();
  return version;
}

}  // namespace hexproof
