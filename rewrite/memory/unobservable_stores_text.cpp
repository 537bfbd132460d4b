// Traces as text, as arguments of rules and certificates hold them.
#include "rewrite/memory/unobservable_stores.h"

namespace hexproof {

namespace {

std::string print(const Trace& trace) {
  std::string out;
  for (const Again& again : trace.first) out += "by " + print(again) + " else ";
  switch (trace.kind) {
    case Trace::Kind::Same:
      return out + "same";
    case Trace::Kind::Unread:
      return out + "unread";
    case Trace::Kind::Permitted:
      return out + "permitted";
    case Trace::Kind::Overwritten:
      return out + "by " + print(Again{trace.by, trace.witness});
  }
  return out;
}

class TraceReader {
 public:
  explicit TraceReader(const std::string& text) : text_(text) {}

  std::vector<Trace> all() {
    std::vector<Trace> out;
    while (at_ < text_.size()) {
      out.push_back(one());
      if (!skip("; ") && at_ < text_.size()) fail();
    }
    return out;
  }

 private:
  [[noreturn]] static void fail() { throw NotApplicable("the list of traces does not parse"); }

  bool skip(const std::string& word) {
    if (text_.compare(at_, word.size(), word) != 0) return false;
    at_ += word.size();
    return true;
  }

  int64_t number() {
    size_t start = at_;
    int64_t value = 0;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9' && at_ - start < 6)
      value = value * 10 + text_[at_++] - '0';
    if (at_ == start) fail();
    return value;
  }

  Trace one() {
    Trace trace;
    while (skip("by ")) {
      Again again;
      again.by.push_back(static_cast<int>(number()));
      while (skip(".")) again.by.push_back(static_cast<int>(number()));
      if (skip("#")) again.witness = number();
      if (!skip(" else ")) {
        trace.kind = Trace::Kind::Overwritten;
        trace.by = std::move(again.by);
        trace.witness = again.witness;
        return trace;
      }
      trace.first.push_back(std::move(again));
    }
    if (skip("same")) return trace;
    if (skip("unread")) {
      trace.kind = Trace::Kind::Unread;
    } else if (skip("permitted")) {
      trace.kind = Trace::Kind::Permitted;
    } else {
      fail();
    }
    return trace;
  }

  const std::string& text_;
  size_t at_ = 0;
};

}  // namespace

std::string print(const std::vector<Trace>& traces) {
  std::string out;
  for (const Trace& t : traces) out += (out.empty() ? "" : "; ") + print(t);
  return out;
}

std::vector<Trace> parse_traces(const std::string& text) { return TraceReader(text).all(); }

}  // namespace hexproof
