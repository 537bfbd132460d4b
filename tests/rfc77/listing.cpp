#include "tests/rfc77/listing.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "ir/text/text.h"
#include "ir/visit.h"
#include "tests/support/documents.h"

namespace hexproof::rfc77 {
namespace {

void replace_all(std::string* text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text->find(from, at)) != std::string::npos; at += to.size()) {
    text->replace(at, from.size(), to);
  }
}

/// The listing on the type that it is read on.
std::string typed_text(const Listing& listing) {
  std::string text = listing_text(*listing.line);
  if (listing.dtype.empty()) return text;
  replace_all(&text, "\"float32\"", "\"" + listing.dtype + "\"");
  replace_all(&text, "0.0", "0");
  return text;
}

std::string with_repairs(const Listing& listing) {
  std::string text = typed_text(listing);
  for (const auto& [from, to] : listing.repairs) {
    size_t count = 0;
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size(), ++count) {
      text.replace(at, from.size(), to);
    }
    if (count == 0)
      throw Error(fmt::format("listing {}: '{}', which is to be repaired, is not there", *listing.line, from));
  }
  return text;
}

/// As a program that is well formed; Error or Unsupported when it is none.
IRModule program(const std::string& text, int line) {
  IRModule module = parse_module(text, fmt::format("listing {}", line));
  for (const PrimFunc& f : module.functions) {
    if (std::string fault = ill_formed(f); !fault.empty()) throw Error(fault);
  }
  return module;
}

bool is_program(const std::string& text, int line) {
  try {
    program(text, line);
    return true;
  } catch (const Error&) {
    return false;
  } catch (const Unsupported&) {
    return false;
  }
}

}  // namespace

std::string listing_text(int line) {
  static const std::vector<Definition> all = definitions(rfc77_document());
  for (const Definition& d : all) {
    if (d.line == line) return d.text;
  }
  throw Error(fmt::format("the document has no listing at line {}", line));
}

IRModule respelled(IRModule module) {
  for (PrimFunc& f : module.functions) {
    std::erase_if(f.attrs, [](const auto& attr) { return attr.first.starts_with("hexproof."); });
    f.body = rewrite_stmt(f.body, [](const Expr& whole) {
      return rewrite_expr(whole, [](const Expr& e) {
        bool swap = e->op == Op::Mul && e->dtype.is_int() && as_int(e->args[0]) && !as_int(e->args[1]);
        return swap ? with_args(e, {e->args[1], e->args[0]}) : e;
      });
    });
  }
  return module;
}

std::optional<IRModule> repaired_listing(const Listing& listing) {
  if (!listing.line || !std::filesystem::exists(rfc77_document())) return std::nullopt;
  return program(with_repairs(listing), *listing.line);
}

void expect_listing(const Listing& listing, const IRModule& ours, const std::optional<IRModule>& before,
                    const std::vector<InterfaceChange>& changes, Prover& prover) {
  if (!listing.line) return;
  SCOPED_TRACE(fmt::format("listing {}", *listing.line));
  if (listing.agreement == Agreement::NoProgram) {
    EXPECT_FALSE(is_program(typed_text(listing), *listing.line)) << "it is a program";
    if (listing.repairs.empty()) return;
  }
  if (listing.agreement == Agreement::Refuted) {
    ASSERT_TRUE(before) << "nothing to compare it with";
    IRModule wrong = program(typed_text(listing), *listing.line);
    EXPECT_EQ(not_refuted(*before, wrong, changes, prover), "");
    if (listing.repairs.empty()) return;
  }
  IRModule theirs = program(with_repairs(listing), *listing.line);
  std::string different = program_difference(respelled(theirs), respelled(ours));
  if (listing.agreement != Agreement::Equal && listing.repairs.empty()) {
    EXPECT_EQ(different, "");
  } else if (different.empty()) {
    EXPECT_NE(listing.agreement, Agreement::Equal) << "it is the same program: `document: same`";
  } else {
    EXPECT_EQ(not_proved(theirs, ours, prover), "") << different;
    EXPECT_EQ(not_proved(ours, theirs, prover), "") << different;
  }
}

}  // namespace hexproof::rfc77
