#include "ir/stmt.h"

namespace hexproof {

Stmt seq(std::vector<Stmt> stmts) {
  std::vector<Stmt> flat;
  for (Stmt& stmt : stmts) {
    if (const Seq* inner = stmt.as<Seq>()) {
      flat.insert(flat.end(), inner->stmts.begin(), inner->stmts.end());
    } else if (stmt) {
      flat.push_back(std::move(stmt));
    }
  }
  if (flat.size() == 1) return flat[0];
  Span span = flat.empty() ? Span{} : flat[0]->span;
  return make_stmt(Seq{std::move(flat)}, span);
}

Stmt empty_stmt() { return make_stmt(Seq{}); }

std::vector<Stmt> children(const Stmt& stmt) {
  auto present = [](std::initializer_list<Stmt> parts) {
    std::vector<Stmt> out;
    for (const Stmt& part : parts) {
      if (part) out.push_back(part);
    }
    return out;
  };
  return std::visit(
      match{[](const Store&) { return std::vector<Stmt>{}; }, [](const Evaluate&) { return std::vector<Stmt>{}; },
            [](const Assume&) { return std::vector<Stmt>{}; }, [](const Seq& s) { return s.stmts; },
            [&](const If& s) {
              return present({s.then_case, s.else_case});
            },
            [&](const Block& s) {
              return present({s.init, s.body});
            },
            [&](const auto& s) { return present({s.body}); }},
      stmt->record);
}

Stmt with_children(const Stmt& stmt, const std::vector<Stmt>& parts) {
  size_t next = 0;
  auto take = [&](Stmt& part) {
    if (part) part = parts.at(next++);
  };
  StmtNode node = *stmt;
  std::visit(
      match{[](Store&) {}, [](Evaluate&) {}, [](Assume&) {}, [&](Seq& s) { s.stmts = parts, next = parts.size(); },
            [&](If& s) { take(s.then_case), take(s.else_case); }, [&](Block& s) { take(s.init), take(s.body); },
            [&](auto& s) { take(s.body); }},
      node.record);
  HEXPROOF_CHECK(next == parts.size(), "with_children: number of parts");
  return Stmt(std::make_shared<const StmtNode>(std::move(node)));
}

}  // namespace hexproof
