// An index map as text, which is data: no Python runs for it.
#include "ir/text/lexer.h"
#include "ir/text/text.h"
#include "rewrite/schedule/reader.h"

namespace hexproof {
namespace {

/// "lambda i, j: [i // 4, j, i % 4]", cut into its parts.
class IndexMapText {
 public:
  explicit IndexMapText(std::shared_ptr<const SourceFile> file) : list_(tokenize(std::move(file))) { cut(); }

  IndexMap read() const {
    // A function of the indices that stores one result a line: read as any program.
    std::string header, lines;
    for (const Token& name : inputs_) header += (header.empty() ? "" : ", ") + std::string(name.text) + ": T.int32";
    for (const Output& output : outputs_) {
      if (!output.separator) lines += kBefore + output.text + "\n";
    }
    if (lines.empty()) throw Error(list_.span(list_.tokens.front()), "the index map gives no indices");
    header += ", index_: T.Buffer((1,), \"int32\")";
    const PrimFunc read = parsed("def f(" + header + "):\n" + lines);
    IndexMap map;
    for (const auto& param : read.params) {
      if (!param.buffer) map.inputs.push_back(param.var);
    }
    std::vector<Expr> results;
    visit_stmt(read.body, [&](const Stmt& s) {
      if (const Store* store = s.as<Store>()) results.push_back(store->value);
      return true;
    });
    size_t next = 0;
    for (const Output& output : outputs_) {
      if (output.separator) {
        map.axis_separators.push_back(static_cast<int>(map.outputs.size()));
        continue;
      }
      map.outputs.push_back(results.at(next++));
    }
    return map;
  }

 private:
  struct Output {
    Token first;
    std::string text;
    bool separator = false;
  };
  inline static const std::string kBefore = "    index_[0] = ";

  [[noreturn]] void fail(size_t at, const std::string& message) const {
    throw Error(list_.span(list_.tokens[at]), message);
  }
  const Token& token(size_t at) const { return list_.tokens[std::min(at, list_.tokens.size() - 1)]; }

  void cut() {
    size_t at = 0;
    if (!token(at).is("lambda")) fail(at, "an index map is a lambda: lambda i, j: [i // 4, j, i % 4]");
    ++at;
    while (!token(at).is(":")) {
      if (token(at).kind != TokenKind::Name || is_keyword(token(at).text)) fail(at, "expected the name of an index");
      for (const Token& other : inputs_) {
        if (other.text == token(at).text) fail(at, "the index '" + std::string(other.text) + "' stands twice");
      }
      inputs_.push_back(token(at++));
      if (token(at).is(",")) {
        ++at;
      } else if (!token(at).is(":")) {
        fail(at, "expected ':'");
      }
    }
    ++at;
    size_t end = at;
    while (token(end).kind != TokenKind::Newline && token(end).kind != TokenKind::End) ++end;
    for (size_t rest = end; rest < list_.tokens.size(); ++rest) {
      if (token(rest).kind != TokenKind::Newline && token(rest).kind != TokenKind::End) {
        fail(rest, "expected the end of the index map");
      }
    }
    if (at == end) fail(at, "the lambda has no body");
    // The brackets around all results, if the first one is closed by the last token.
    if ((token(at).is("[") || token(at).is("(")) && closing(at, end) == end - 1 &&
        (token(at).is("[") || has_comma(at + 1, end - 1))) {
      ++at, --end;
    }
    for (size_t begin = at; begin < end;) {
      size_t stop = comma(begin, end);
      add(begin, stop);
      begin = stop + 1;
    }
    if (outputs_.empty()) fail(at, "the index map gives no indices");
  }

  size_t closing(size_t open, size_t end) const {
    int level = 0;
    for (size_t k = open; k < end; ++k) {
      level += opens(k) - closes(k);
      if (level == 0) return k;
    }
    return end;
  }
  bool has_comma(size_t begin, size_t end) const { return comma(begin, end) != end; }
  size_t comma(size_t begin, size_t end) const {
    int level = 0;
    for (size_t k = begin; k < end; ++k) {
      level += opens(k) - closes(k);
      if (level == 0 && token(k).is(",")) return k;
    }
    return end;
  }
  int opens(size_t k) const { return token(k).is("(") || token(k).is("[") || token(k).is("{"); }
  int closes(size_t k) const { return token(k).is(")") || token(k).is("]") || token(k).is("}"); }

  void add(size_t begin, size_t end) {
    if (begin == end) fail(begin, "expected an index");
    const Token &first = token(begin), &last = token(end - 1);
    std::string text(first.text.data(), last.text.data() + last.text.size());
    for (char& c : text) c = c == '\n' || c == '\r' ? ' ' : c;
    if (text.find('#') != std::string::npos) fail(begin, "no comments in an index map");
    outputs_.push_back({first, text, last.is("AXIS_SEPARATOR")});
  }

  PrimFunc parsed(const std::string& text) const {
    try {
      return parse_module(text, "<index map>").functions.at(0);
    } catch (const Error& e) {
      throw Error(place(e.span), message(e.what()));
    } catch (const Unsupported& e) {
      throw Unsupported(place(e.span), message(e.what()));
    }
  }
  /// The line of the message, without its place.
  static std::string message(const std::string& what) {
    const std::string line = what.substr(0, what.find('\n'));
    const size_t kind = std::min(line.find("error: "), line.find("unsupported: "));
    return kind == std::string::npos ? line : line.substr(line.find(": ", kind) + 2);
  }
  Span place(const Span& read) const {
    int line = 1;
    for (const Output& output : outputs_) {
      if (output.separator || ++line != read.line) continue;
      Span span = list_.span(output.first);
      span.column += std::max(0, read.column - 1 - static_cast<int>(kBefore.size()));
      span.length = read.length;
      return span;
    }
    return list_.span(list_.tokens.front());
  }

  TokenList list_;
  std::vector<Token> inputs_;
  std::vector<Output> outputs_;
};

}  // namespace

IndexMap read_index_map(std::shared_ptr<const SourceFile> file) {
  require_text(file);
  return IndexMapText(std::move(file)).read();
}

}  // namespace hexproof
