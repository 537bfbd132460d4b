// Whose fault it is: Error for the user's input (exit 2), Unsupported for what is not modelled (exit 13),
// InternalError for a bug of ours (exit 6).
#pragma once
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace hexproof {

/// A source text and its name, kept for messages.
struct SourceFile {
  std::string path;
  std::string text;
};

/// A place in a source file. Lines and columns count from 1; line 0 means "no source" (built by a rule).
struct Span {
  std::shared_ptr<const SourceFile> file;
  int line = 0;
  int column = 0;
  int length = 1;

  explicit operator bool() const { return line != 0; }
  /// "file:line:column", or "<built>".
  std::string str() const;
};

/// `file:line:column: error: message`, the line, a caret, and the hint if there is one. A long line is
/// cut to a window around the column.
std::string render(const Span& span, const std::string& kind, const std::string& message, const std::string& hint = "");

/// The input does not parse, does not type-check, or does not fit the request.
class Error : public std::runtime_error {
 public:
  Error(Span span, const std::string& message, const std::string& hint = "")
      : std::runtime_error(render(span, "error", message, hint)), span(std::move(span)) {}
  explicit Error(const std::string& message) : std::runtime_error("error: " + message) {}
  Span span;
};

/// A construct outside of what hexproof models; never guessed at.
class Unsupported : public std::runtime_error {
 public:
  Unsupported(Span span, const std::string& message, const std::string& hint = "")
      : std::runtime_error(render(span, "unsupported", message, hint)), span(std::move(span)) {}
  Span span;
};

/// A bug of hexproof.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void internal_error(const char* file, int line, const std::string& message);

/// An always-on check of our own invariants.
#define HEXPROOF_CHECK(condition, message) \
  ((condition) ? void(0) : ::hexproof::internal_error(__FILE__, __LINE__, (message)))

}  // namespace hexproof
