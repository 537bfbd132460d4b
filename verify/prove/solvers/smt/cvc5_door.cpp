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
#include "ir/base/wide_text.h"
#include "ir/float_format.h"
#include "verify/prove/effort.h"
#include "verify/prove/solvers/smt/door.h"

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
      const std::optional<Wide> value = one(type_of(name));
      if (!value || !expect(")")) break;
      values.emplace(name, *value);
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
  static std::optional<Wide> bits(const std::string& text) {
    return text.starts_with("#b") ? parse_wide(std::string_view(text).substr(2), 2) : std::nullopt;
  }
  /// A word as a number, negative where the script means that.
  std::optional<Wide> word(const std::string& text, DType type) const {
    std::optional<Wide> out = bits(text);
    const bool is_signed = script_.reading == Reading::WideBits || type.is_int();
    const int width = static_cast<int>(text.size()) - 2;
    if (!out || !is_signed) return out;
    if (width >= 127) return std::nullopt;
    if (*out >> (width - 1) & 1) *out -= Wide{1} << width;
    return out;
  }
  std::optional<Wide> one(DType type) {
    std::string t = token();
    if (t == "true" || t == "false") return Wide{t == "true"};
    if (t.starts_with("#b")) return word(t, type);
    if (t != "(") return parse_wide(t);
    std::optional<Wide> out = inside(type);
    return expect(")") ? out : std::nullopt;
  }
  /// What stands between parentheses: a negative number, a float, or a float with a name.
  std::optional<Wide> inside(DType type) {
    const std::string t = token();
    if (t == "-") {
      std::optional<Wide> out = parse_wide(token());
      if (out) *out = -*out;
      return out;
    }
    if (t == "fp") {
      Wide out = 0;
      for (int i = 0; i < 3; ++i) {
        const std::string field = token();
        const std::optional<Wide> part = bits(field);
        if (!part) return std::nullopt;
        out = (out << (field.size() - 2)) | *part;
      }
      return out;
    }
    if (t != "_") return std::nullopt;
    std::string which = token();
    token(), token();
    const FloatFormat format = float_format(type);
    Wide infinity = format.infinity(), nan = format.nan(), sign = format.sign();
    return which == "NaN"     ? nan
           : which == "+oo"   ? infinity
           : which == "-oo"   ? infinity | sign
           : which == "-zero" ? sign
                              : 0;
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
    // "This is cvc5 version 1.0.3 [git ...]", and lines on who made it.
    const std::string kBefore = "version ", line = out.text.substr(0, out.text.find('\n'));
    const size_t at = line.find(kBefore);
    if (!out.started || at == std::string::npos) return std::string("none");
    const size_t begin = at + kBefore.size();
    return line.substr(begin, line.find(' ', begin) - begin);
  }();
  return version;
}

}  // namespace hexproof
