// Exceptions as the public face has them.
#include <fmt/format.h>

#include <new>
#include <system_error>

#include "backend/hexagon.h"
#include "ir/base/utf8.h"
#include "rewrite/kernel/engine_limit.h"
#include "rewrite/schedule/schedule.h"
#include "tools/api/detail.h"
#include "tools/api/version.h"
#include "verify/prove/effort.h"

namespace hexproof::api {
namespace {

Failure at(Failure failure, const Span& span) {
  if (!span) return failure;
  failure.file = span.file ? span.file->path : "";
  failure.line = span.line;
  failure.column = span.column;
  return failure;
}

/// With the condition that failed.
Failure with(Failure failure, const Refused& refused) {
  failure.detail = std::make_shared<const FailureDetail>(FailureDetail{refused});
  return failure;
}

/// What the message says, with nothing in it that a terminal would obey.
std::string said(const std::exception& e) { return visible(e.what()); }

/// Of files that cannot be read or written, all of it is one line, whatever their names hold.
std::string said(const Error& e) {
  const auto* coded = dynamic_cast<const CodedError*>(&e);
  const bool of_files =
      coded && !e.span &&
      (coded->code == Code::CannotRead || coded->code == Code::CannotWrite || coded->code == Code::SameFile);
  return of_files ? visible_line(e.what()) : visible(e.what());
}

Failure::Kind kind_of(const Refused& refused) {
  return refused.answer.verdict == hexproof::Verdict::Refuted ? Failure::Kind::Refuted : Failure::Kind::Undecided;
}

Failure listed(Failure::Kind kind, const std::string& text, const Span& span, const std::vector<Diagnosed>& list) {
  Failure out = at({kind, list.front().code, text}, span);
  out.detail = std::make_shared<const FailureDetail>(FailureDetail{.errors = list});
  return out;
}

Code code_of(const Refused& refused) {
  return kind_of(refused) == Failure::Kind::Refuted ? Code::ConditionFalse : Code::ConditionOpen;
}

Code standard_code(Failure::Kind kind) {
  using Kind = Failure::Kind;
  switch (kind) {
    case Kind::Input:
      return Code::Program;
    case Kind::Unsupported:
      return Code::UnsupportedConstruct;
    case Kind::Refuted:
      return Code::ConditionFalse;
    case Kind::Undecided:
      return Code::ConditionOpen;
    case Kind::Internal:
      return Code::Internal;
  }
  internal_error(__FILE__, __LINE__, "no such kind of failure");
}

}  // namespace

Failure::Failure(Kind kind, const std::string& what) : Failure(kind, standard_code(kind), what) {}
Failure::Failure(Kind kind, Code code, const std::string& what)
    : std::runtime_error(what), kind(kind), code(info(code).id) {}

Failure out_of_time(const std::string& open) {
  return {Failure::Kind::Undecided, Code::OutOfTime,
          fmt::format("undecided: the time budget of {:g} s is used up (--budget); what stayed open:\n{}",
                      TimeBudget::seconds(), open.empty() ? "work that asks no solver" : open)};
}

Failure current_failure() {
  using Kind = Failure::Kind;
  try {
    throw;
  } catch (const Failure& e) {
    return e;
  } catch (const UnsupportedList& e) {
    return listed(Kind::Unsupported, said(e), e.span, e.list);
  } catch (const ErrorList& e) {
    return listed(Kind::Input, said(e), e.span, e.list);
  } catch (const hexproof::Unsupported& e) {
    return at({Kind::Unsupported, diagnosed(e, Code::UnsupportedConstruct).code, said(e)}, e.span);
  } catch (const Error& e) {
    return at({Kind::Input, diagnosed(e, Code::Program).code, said(e)}, e.span);
  } catch (const EngineLimit& e) {
    return {Kind::Unsupported, Code::UnsupportedPrimitive, std::string("unsupported: ") + said(e)};
  } catch (const NotApplicable& e) {
    return {Kind::Input, Code::Step, std::string("error: ") + said(e)};
  } catch (const PrimitiveRefused& e) {
    return with(at({kind_of(e), code_of(e), said(e)}, e.span), e);
  } catch (const Refused& e) {
    return with({kind_of(e), code_of(e), said(e)}, e);
  } catch (const OutOfTime& e) {
    return {Kind::Undecided, Code::OutOfTime, std::string("undecided: ") + said(e)};
  } catch (const HexagonFailure& e) {
    return {Kind::Undecided, Code::Emulator,
            std::string("undecided: the program was not run to its end under QEMU: ") + said(e)};
  } catch (const std::bad_alloc&) {
    return {Kind::Undecided, Code::OutOfMemory, "error: out of memory"};
  } catch (const std::system_error& e) {  // threads, processes, files: as many as there may be
    return {Kind::Undecided, Code::OutOfMemory, std::string("error: this machine has no more: ") + said(e)};
  } catch (const std::exception& e) {
    return {Kind::Internal, Code::Internal,
            std::string("internal error: ") + said(e) + "\nThis is a bug of hexproof " + kVersion +
                ". Please report it with the input and the command line."};
  }
}

const char* to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::Proved:
      return "proved";
    case Verdict::Refuted:
      return "refuted";
    case Verdict::Undecided:
      return "undecided";
    case Verdict::Vacuous:
      return "vacuous";
    case Verdict::Rejected:
      return "rejected";
    case Verdict::Unsupported:
      return "unsupported";
  }
  internal_error(__FILE__, __LINE__, "no such verdict");
}

Verdict verdict_of(Finding finding) {
  switch (finding) {
    case Finding::Proved:
      return Verdict::Proved;
    case Finding::Refuted:
      return Verdict::Refuted;
    case Finding::Undecided:
      return Verdict::Undecided;
    case Finding::Vacuous:
      return Verdict::Vacuous;
    case Finding::Unsupported:
      return Verdict::Unsupported;
  }
  internal_error(__FILE__, __LINE__, "no such finding");
}

Verdict worse(Verdict a, Verdict b) {
  // In the order in which a person must look at them.
  for (Verdict verdict :
       {Verdict::Rejected, Verdict::Refuted, Verdict::Vacuous, Verdict::Unsupported, Verdict::Undecided}) {
    if (a == verdict || b == verdict) return verdict;
  }
  return Verdict::Proved;
}

}  // namespace hexproof::api
