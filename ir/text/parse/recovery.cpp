// After an error the parser goes on at the next statement, or at the next function, so that all errors of a file are
// told at once. What follows from an error that was told is not told again: names that a skipped text may have defined
// are known to nobody, and nobody complains of them.
#include "ir/link/link.h"
#include "ir/text/parse/parser.h"

namespace hexproof::text {
namespace {

constexpr size_t kMostErrors = 50;

}  // namespace

Parser::Kept Parser::keep() const { return {pos_, open_scopes_, scopes_.size(), errors_.size(), items_, block_}; }

void Parser::note(Diagnosed error, const Kept& kept) {
  if (errors_.empty()) first_error_ = std::current_exception();
  // A suite with errors of its own: what is wrong with the whole of it comes of them.
  if (errors_.size() == kept.errors) errors_.push_back(std::move(error));
  if (errors_.size() >= kMostErrors) give_up();
}

void Parser::recover(const Kept& kept) {
  items_ = kept.items, block_ = kept.block, open_scopes_ = kept.open_scopes;
  scopes_.resize(std::min(scopes_.size(), kept.scopes));
  pos_ = kept.pos;
  do {
    skip_statement();
  } while (at("elif") || at("else"));
}

void Parser::skip_statement() {
  const size_t first = pos_, last = list_.tokens.size() - 1;
  auto lines_below = [&] {  // from an Indent to behind its Dedent
    int depth = 0;
    do {
      depth += peek().kind == TokenKind::Indent ? 1 : peek().kind == TokenKind::Dedent ? -1 : 0;
      ++pos_;
    } while (depth > 0 && pos_ < last);
  };
  if (peek().kind == TokenKind::Indent) {
    lines_below();
  } else {
    while (pos_ < last && peek().kind != TokenKind::Newline) ++pos_;
    if (pos_ < last) ++pos_;
    if (peek().kind == TokenKind::Indent) lines_below();
  }
  for (size_t k = first; k < pos_; ++k) {
    const Token& token = list_.tokens[k];
    if (token.kind == TokenKind::Name && !is_keyword(token.text) && !find(std::string(token.text))) {
      unsure_.insert(std::string(token.text));
    }
  }
}

void Parser::give_up() {
  if (errors_.empty()) return;
  if (errors_.size() == 1) std::rethrow_exception(first_error_);
  ErrorList all(std::move(errors_));
  if (!all.all_unsupported()) throw all;
  throw UnsupportedList(all);
}

bool Parser::told(const std::function<void()>& part) {
  const Kept kept = keep();
  try {
    part();
    return false;
  } catch (const ErrorList&) {
    throw;
  } catch (const UnsupportedList&) {
    throw;
  } catch (const Follows&) {
  } catch (const Error& e) {
    note(diagnosed(e, Code::Program), kept);
  } catch (const Unsupported& e) {
    note(diagnosed(e, Code::UnsupportedConstruct), kept);
  }
  recover(kept);
  return true;
}

IRModule Parser::module() {
  IRModule out;
  told([&] { out = read_module(); });
  give_up();
  resolve_calls(&out);
  return out;
}

}  // namespace hexproof::text
