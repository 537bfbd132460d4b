// The codes of errors ("HX0103"), and errors that carry one. An Error without a code gets that of the work it ended:
// `coded(Code::Schedule, ...)`.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ir/base/diagnostic.h"

namespace hexproof {

enum class Code : uint8_t {
#define CODE(name, id, title, text) name,
#include "ir/base/codes.def"
#undef CODE
};

struct CodeInfo {
  Code code;
  const char *id, *title, *text;
};
const std::vector<CodeInfo>& all_codes();
const CodeInfo& info(Code code);
/// "  HX0103: `hexproof explain HX0103`": what is printed below an error.
std::string code_line(Code code);
/// By its id, in any case of letters; nothing when there is none.
const CodeInfo* code_named(const std::string& id);

class CodedError : public Error {
 public:
  CodedError(Code code, Span span, const std::string& message, const std::string& hint = "")
      : Error(std::move(span), message, hint), code(code), text_(Error::what()) {}
  CodedError(Code code, const std::string& message) : Error(message), code(code), text_(Error::what()) {}
  /// The same error, with a code.
  CodedError(Code code, const Error& error) : Error(error), code(code), text_(error.what()) {}
  const char* what() const noexcept override { return text_.c_str(); }
  Code code;

 private:
  std::string text_;
};

class CodedUnsupported : public Unsupported {
 public:
  CodedUnsupported(Code code, const Unsupported& error) : Unsupported(error), code(code) {}
  Code code;
};

/// One of several errors.
struct Diagnosed {
  Span span;
  std::string text;  // as Error::what()
  bool unsupported = false;
  Code code = Code::Program;
};
/// All errors of a file, in the order of its lines; at least two. `span` is that of the first.
class ErrorList : public Error {
 public:
  explicit ErrorList(std::vector<Diagnosed> list);
  const char* what() const noexcept override { return text_.c_str(); }
  /// Is each of them a construct that is not modelled?
  bool all_unsupported() const;
  std::vector<Diagnosed> list;

 private:
  std::string text_;
};

/// The same of constructs that are not modelled.
class UnsupportedList : public Unsupported {
 public:
  explicit UnsupportedList(const ErrorList& all) : Unsupported(all.span, ""), list(all.list), text_(all.what()) {}
  const char* what() const noexcept override { return text_.c_str(); }
  std::vector<Diagnosed> list;

 private:
  std::string text_;
};

/// What a caught error is, as one of several.
Diagnosed diagnosed(const Error& error, Code otherwise);
Diagnosed diagnosed(const Unsupported& error, Code otherwise);

/// Errors that leave `work` without a code get these.
template <class F>
auto coded(Code code, Code unsupported, F&& work) {
  try {
    return work();
  } catch (const CodedError&) {
    throw;
  } catch (const ErrorList&) {
    throw;
  } catch (const UnsupportedList&) {
    throw;
  } catch (const CodedUnsupported&) {
    throw;
  } catch (const Unsupported& e) {
    throw CodedUnsupported(unsupported, e);
  } catch (const Error& e) {
    throw CodedError(code, e);
  }
}
template <class F>
auto coded(Code code, F&& work) {
  return coded(code, Code::UnsupportedConstruct, std::forward<F>(work));
}

}  // namespace hexproof
