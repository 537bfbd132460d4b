// Blocks as TVMScript.
#include "ir/text/print/printer.h"
#include "ir/visit.h"

namespace hexproof::text {

void Printer::regions(const char* what, const std::vector<BufferRegion>& list) {
  start_line();
  text += std::string(what) + "(";
  for (size_t i = 0; i < list.size(); ++i) {
    if (i) text += ", ";
    text += name(list[i].buffer) + "[";
    if (list[i].region.empty()) text += "()";
    for (size_t k = 0; k < list[i].region.size(); ++k) {
      const Range& range = list[i].region[k];
      if (k) text += ", ";
      expr(range.min);
      if (!is_int(range.extent, 1)) text += ":", stop(range);
    }
    text += "]";
  }
  text += ")\n";
}

/// The iteration variables; runs that take a loop's variable with its whole range are written as a remap.
void Printer::iterations(const Block& s) {
  auto remaps = [&](const IterVar& iter) {
    if (iter.binding->op != Op::Var) return false;
    auto it = loops_.find(iter.binding->var());
    return it != loops_.end() && it->second.min == iter.dom.min && it->second.extent == iter.dom.extent;
  };
  auto letter = [](IterKind kind) { return kind == IterKind::Spatial ? "S" : kind == IterKind::Reduce ? "R" : "O"; };
  for (size_t i = 0; i < s.iters.size();) {
    size_t end = i;
    while (end < s.iters.size() && remaps(s.iters[end])) ++end;
    if (end - i >= 2) {
      std::string names, kinds, bindings;
      for (; i < end; ++i) {
        std::string comma = names.empty() ? "" : ", ";
        bindings += comma + name(s.iters[i].binding->var());
        bind_class(s.iters[i].var, false);
        names += comma + define(s.iters[i].var);
        kinds += letter(s.iters[i].kind);
      }
      line(names + " = T.axis.remap(\"" + kinds + "\", [" + bindings + "])");
      continue;
    }
    const IterVar& iter = s.iters[i++];
    std::string value = apart([&] {
      switch (iter.kind) {
        case IterKind::Spatial:
          text = "T.axis.spatial(";
          break;
        case IterKind::Reduce:
          text = "T.axis.reduce(";
          break;
        case IterKind::Opaque:
          text = "T.axis.opaque(";
          break;
      }
      if (is_int(iter.dom.min, 0)) {
        expr(iter.dom.extent);
      } else {
        text += "(";
        expr(iter.dom.min);
        text += ", ";
        stop(iter.dom);
        text += ")";
      }
      text += ", ";
      expr(iter.binding);
      text += ")";
    });
    bind_class(iter.var, reads_as_data(iter.binding));
    line(define(iter.var) + " = " + value);
  }
}

void Printer::block(const Block& s) {
  start_line();
  text += "with T.block(";
  quoted(s.name);
  text += ")";
  suite([&] {
    iterations(s);
    if (s.predicate) {
      start_line();
      text += "T.where(";
      expr(s.predicate);
      text += ")\n";
    }
    if (s.reads) regions("T.reads", *s.reads);
    if (s.writes) regions("T.writes", *s.writes);
    if (!s.annotations.empty()) {
      start_line();
      text += "T.block_attr(";
      annotations(s.annotations);
      text += ")\n";
    }
    if (s.init) {
      start_line();
      text += "with T.init()";
      suite([&] { stmt(s.init, true, false); });
    }
    stmt(s.body, true, true);
  });
  for (const IterVar& iter : s.iters) release(iter.var);
}

}  // namespace hexproof::text
