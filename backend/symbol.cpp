#include "backend/symbol.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace hexproof {
namespace {

/// Keywords of C and C++, what a program has anyway, names of the headers that kernel.h includes, and functions of the
/// C library that LLVM does not list for each target.
bool is_taken(const std::string& name) {
  static const std::set<std::string> kWords = {
      "alignas",   "alignof",   "and",          "and_eq",        "asm",         "atomic",       "auto",
      "bitand",    "bitor",     "bool",         "break",         "case",        "catch",        "char",
      "class",     "compl",     "concept",      "const",         "constexpr",   "continue",     "decltype",
      "default",   "delete",    "do",           "double",        "else",        "enum",         "explicit",
      "export",    "extern",    "false",        "float",         "for",         "friend",       "goto",
      "if",        "inline",    "int",          "long",          "mutable",     "namespace",    "new",
      "noexcept",  "not",       "not_eq",       "nullptr",       "operator",    "or",           "or_eq",
      "private",   "protected", "public",       "register",      "requires",    "restrict",     "return",
      "short",     "signed",    "sizeof",       "static",        "struct",      "switch",       "template",
      "this",      "throw",     "true",         "try",           "typedef",     "typeid",       "typename",
      "typeof",    "union",     "unsigned",     "using",         "virtual",     "void",         "volatile",
      "while",     "xor",       "xor_eq",       "linux",         "unix",        "main",         "errno",
      "stdin",     "stdout",    "stderr",       "environ",       "erf",         "erff",         "erfc",
      "erfcf",     "lgamma",    "lgammaf",      "tgamma",        "tgammaf",     "hypot",        "hypotf",
      "isnan",     "isinf",     "isfinite",     "static_assert", "consteval",   "constinit",    "co_await",
      "co_return", "co_yield",  "thread_local", "const_cast",    "static_cast", "dynamic_cast", "reinterpret_cast",
      "char8_t",   "char16_t",  "char32_t",     "wchar_t"};
  // Reserved to the C implementation, hexproof's own, and what <stdint.h> may define.
  for (const char* start : {"_", "hexproof_", "INT", "UINT", "PTRDIFF_", "SIZE_", "SIG_", "WCHAR_", "WINT_"}) {
    if (name.starts_with(start)) return true;
  }
  if (kWords.count(name) || name.ends_with("_t")) return true;
  const llvm::TargetLibraryInfoImpl library{llvm::Triple("x86_64-unknown-linux-gnu")};
  llvm::LibFunc known;
  return library.getLibFunc(name, known);
}

}  // namespace

std::string kernel_symbol(const std::string& name) {
  std::string out = name;
  std::replace_if(
      out.begin(), out.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  if (out.empty() || std::isdigit(static_cast<unsigned char>(out[0]))) out.insert(0, "kernel_");
  return is_taken(out) ? out + "_kernel" : out;
}

}  // namespace hexproof
