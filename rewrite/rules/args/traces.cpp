#include "rewrite/rules/args/traces.h"

namespace hexproof {

namespace {

std::string text_of(const Trace& trace) {
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

  std::optional<std::vector<Trace>> all() {
    std::vector<Trace> out;
    while (at_ < text_.size()) {
      out.push_back(one());
      if (failed_ || (!skip("; ") && at_ < text_.size())) return std::nullopt;
    }
    return out;
  }

 private:
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
    failed_ |= at_ == start;
    return value;
  }

  Trace one() {
    Trace trace;
    while (!failed_ && skip("by ")) {
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
      failed_ = true;
    }
    return trace;
  }

  const std::string& text_;
  size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace

Arg ArgField<std::vector<Trace>>::write(const std::vector<Trace>& traces) {
  std::string out;
  for (const Trace& t : traces) out += (out.empty() ? "" : "; ") + text_of(t);
  return out;
}

std::optional<std::vector<Trace>> ArgField<std::vector<Trace>>::read(const Arg& arg) {
  const std::string* text = std::get_if<std::string>(&arg);
  return text ? TraceReader(*text).all() : std::nullopt;
}

}  // namespace hexproof
