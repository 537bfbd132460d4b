#include "tests/backend/hexagon/intrinsic_rows.h"

#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <regex>
#include <set>

#include "ir/visit.h"

namespace hexproof::testing {
namespace {

std::vector<std::string> others(const std::string& token) {
  static const std::map<std::string, std::vector<std::string>> table = {{"int8", {"uint8", "int16"}},
                                                                        {"uint8", {"int8", "uint16"}},
                                                                        {"int32", {"uint32", "int16", "uint8"}},
                                                                        {"int64", {"uint64", "int32", "int16"}},
                                                                        {"+", {"-", "*"}},
                                                                        {"-", {"+"}},
                                                                        {"*", {"+", "-"}},
                                                                        {"i", {"k", "0"}},
                                                                        {"k", {"i", "0"}},
                                                                        {"a", {"b"}},
                                                                        {"b", {"a"}},
                                                                        {"x", {"y", "m"}},
                                                                        {"m", {"x", "y"}},
                                                                        {"y", {"x", "m"}},
                                                                        {"min", {"max"}},
                                                                        {"max", {"min"}},
                                                                        {">>", {"<<", "//", "+"}},
                                                                        {"acc", {"a", "b"}},
                                                                        {"A", {"B"}},
                                                                        {"B", {"A"}},
                                                                        {"p", {"c", "0"}},
                                                                        {"c", {"p", "0"}},
                                                                        {"serial", {"parallel", "unroll"}},
                                                                        {"range", {"T.vectorized"}}};
  if (std::isdigit(static_cast<unsigned char>(token[0]))) {
    long long n = std::stoll(token);
    std::vector<std::string> out = {std::to_string(n + 1), std::to_string(n * 2 + 2)};
    if (n > 0) out.push_back(std::to_string(n - 1));
    if (n > 1) out.push_back(std::to_string(n / 2));
    return out;
  }
  auto it = table.find(token);
  return it == table.end() ? std::vector<std::string>{} : it->second;
}

}  // namespace

std::vector<Mutant> one_token_mutants(const std::string& text) {
  std::vector<Mutant> out;
  auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (size_t at = 0; at < text.size();) {
    size_t end = at + 1;
    if (is_word(text[at])) {
      while (end < text.size() && is_word(text[end])) ++end;
    } else if (text.compare(at, 2, ">>") == 0) {
      end = at + 2;
    }
    std::string token = text.substr(at, end - at);
    for (const std::string& other : others(token)) {
      out.push_back({text.substr(0, at) + other + text.substr(end),
                     "'" + token + "' -> '" + other + "' at " + std::to_string(at)});
    }
    at = end;
  }
  return out;
}

PrimFunc over_many(const PrimFunc& description, int64_t count, const std::string& mark) {
  Var n = Var::fresh("n", kInt32);
  BufferMap many;
  PrimFunc out;
  out.name = "rows";
  for (const Buffer& b : description.buffer_params()) {
    std::vector<Expr> shape = {i32(count)};
    shape.insert(shape.end(), b->shape.begin(), b->shape.end());
    Buffer wide = make_buffer(b->name, b->dtype, shape);
    many.emplace(b, wide);
    out.params.push_back({wide->data, wide});
  }
  auto at_n = [&](std::vector<Expr> indices) {
    indices.insert(indices.begin(), Expr(n));
    return indices;
  };
  auto expr = [&](const Expr& e) {
    return rewrite_expr(e, [&](const Expr& x) {
      return x->op == Op::Load && many.count(x->buffer()) ? load(many.at(x->buffer()), at_n(x->args)) : x;
    });
  };
  Stmt body = rewrite_stmt(description.body, expr, [&](const Stmt& s) {
    const Store* store = s.as<Store>();
    return store ? make_stmt(Store{many.at(store->buffer), at_n(store->indices), store->value}, s->span) : s;
  });
  if (!mark.empty()) {
    For nest = *body.as<For>();
    nest.annotations[kTensorize] = mark;
    body = make_stmt(nest, body->span);
  }
  out.body = refresh(make_stmt(For{n, i32(0), i32(count), ForKind::Serial, body}));
  return out;
}

void expect_only_rows(const std::string& llvm_ir, const Intrinsic* tried) {
  std::set<std::string> known;
  std::vector<const Intrinsic*> rows = all_intrinsics();
  if (tried) rows.push_back(tried);
  for (const Intrinsic* row : rows) {
    for (const Intrinsic::Code& code : row->code) {
      for (const Intrinsic::Call& call : code.calls) known.insert(call.llvm);
    }
  }
  static const std::regex name("@(llvm\\.(?:hexagon|x86)\\.[A-Za-z0-9_.]+)");
  size_t found = 0;
  for (std::sregex_iterator it(llvm_ir.begin(), llvm_ir.end(), name), end; it != end; ++it, ++found) {
    EXPECT_TRUE(known.count((*it)[1])) << (*it)[1] << " stands in no row";
  }
  EXPECT_GT(found, 0u);
}

}  // namespace hexproof::testing
