// The tables of InferBound, as text and as a drawing.
#include <algorithm>
#include <array>

#include "ir/text/text.h"
#include "rewrite/te/bounds/bounds.h"

namespace hexproof::te {
namespace {

std::string text(const Expr& e) { return e ? print(e) : "?"; }

/// From the first to before the last, as the document writes ranges.
std::string range_text(const Expr& min, const Expr& extent) {
  const int64_t *a = as_int(min), *n = as_int(extent);
  if (a && n) return "[" + std::to_string(*a) + ", " + std::to_string(*a + *n) + ")";
  if (a && *a == 0) return "[0, " + text(extent) + ")";
  return "[" + text(min) + ", +" + text(extent) + ")";
}

std::string set_text(const IterSet& set) {
  if (!set.min || !set.max) return "everything";
  return "[" + text(set.min) + ", " + text(set.max) + "]";
}

/// Heads span all columns.
struct Row {
  std::string head;
  std::array<std::string, 4> cells = {};
};

std::string path_text(const Schedule& s, const StageBounds& b) {
  std::string out;
  for (const auto& [stage, loop] : b.path) out += (out.empty() ? "" : ", ") + loop.var.name();
  (void)s;
  return "{" + out + "}";
}

std::vector<Row> rows_of(const Schedule& s, const Bounds& bounds, const std::vector<std::vector<Answer>>& answers) {
  std::vector<Row> out;
  for (size_t n = 0; n < bounds.stages.size(); ++n) {
    const StageBounds& b = bounds.stages[n];
    const Stage& stage = s.stage(b.stage);
    if (stage.op->is_placeholder()) continue;
    std::string where = stage.output ? "an output" : "at the root";
    if (stage.attach == Attach::Scope) {
      where = "computed at " + stage.attach_at.var.name() + " of " + s.stage(stage.attach_stage).name;
    }
    out.push_back({"stage " + stage.name + ", " + where + ", attach path " + path_text(s, b)});
    for (const Request& r : b.requests) {
      out.push_back({"  " + s.stage(r.consumer).name + " asks"});
      for (const IterSet& set : r.phase1) out.push_back({"", {"phase 1", set.iv.var.name(), set_text(set), ""}});
      for (const IterSet& set : r.phase2) out.push_back({"", {"phase 2", set.iv.var.name(), set_text(set), ""}});
      for (const auto& row : r.phase3) {
        for (const IterSet& set : row) out.push_back({"", {"phase 3", set.iv.var.name(), set_text(set), ""}});
      }
    }
    for (const IterRange& r : b.ranges) {
      const char* kind = r.root && r.leaf ? "root, loop" : r.root ? "root" : r.leaf ? "loop" : "";
      out.push_back({"", {"range", r.iv.var.name(), range_text(r.min, r.extent), kind}});
    }
    if (b.requests.empty()) continue;
    for (size_t d = 0; d < b.box.size(); ++d) {
      const Face& f = b.box[d];
      out.push_back({"",
                     {"box", "axis " + std::to_string(d), range_text(f.base, f.extent),
                      f.witness ? "smallest: " + *f.witness : "not shown to be the smallest"}});
    }
    if (b.computed && b.needed) {
      out.push_back({"",
                     {"cells", "", "at most " + std::to_string(*b.computed) + " computed",
                      std::to_string(*b.needed) + " in the buffer"}});
    }
    if (n < answers.size()) {
      const auto proved = std::count_if(answers[n].begin(), answers[n].end(),
                                        [](const Answer& a) { return a.verdict == Verdict::Proved; });
      out.push_back(
          {"",
           {"covers", "", std::to_string(proved) + " of " + std::to_string(answers[n].size()) + " obligations proved",
            ""}});
    }
  }
  return out;
}

std::string escaped(const std::string& s) {
  std::string out;
  for (char c : s) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

std::array<size_t, 4> widths_of(const std::vector<Row>& rows) {
  std::array<size_t, 4> out{};
  for (const Row& row : rows) {
    for (size_t k = 0; k < 4; ++k) out[k] = std::max(out[k], row.cells[k].size());
  }
  return out;
}

}  // namespace

std::string print(const Schedule& schedule, const Bounds& bounds, const std::vector<std::vector<Answer>>& answers) {
  const std::vector<Row> rows = rows_of(schedule, bounds, answers);
  const auto widths = widths_of(rows);
  std::string out;
  for (const Row& row : rows) {
    std::string line = row.head;
    if (row.head.empty()) {
      line = "   ";
      for (size_t k = 0; k < 4; ++k) line += " " + row.cells[k] + std::string(widths[k] - row.cells[k].size() + 1, ' ');
      line.erase(line.find_last_not_of(' ') + 1);
    }
    out += line + "\n";
  }
  return out;
}

std::string draw(const Schedule& schedule, const Bounds& bounds) {
  constexpr size_t kHeight = 20, kLetter = 8;
  const std::vector<Row> rows = rows_of(schedule, bounds, {});
  const auto widths = widths_of(rows);
  size_t width = 20;
  for (size_t w : widths) width += (w + 2) * kLetter;
  for (const Row& row : rows) width = std::max(width, (row.head.size() + 4) * kLetter);
  std::string body;
  auto cell = [&](size_t x, size_t y, const std::string& s, const char* style) {
    body += "<text x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\"" + style + ">" + escaped(s) +
            "</text>\n";
  };
  for (size_t n = 0; n < rows.size(); ++n) {
    const size_t y = (n + 1) * kHeight;
    const bool head = !rows[n].head.empty();
    body += "<rect x=\"5\" y=\"" + std::to_string(y - 15) + "\" width=\"" + std::to_string(width - 10) +
            "\" height=\"" + std::to_string(kHeight) + "\" fill=\"" + (head ? "#dde6f0" : "none") +
            "\" stroke=\"#c0c0c0\"/>\n";
    if (head) {
      cell(10, y, rows[n].head, " font-weight=\"bold\"");
      continue;
    }
    size_t x = 10;
    for (size_t k = 0; k < 4; ++k) {
      cell(x, y, rows[n].cells[k], "");
      x += (widths[k] + 2) * kLetter;
    }
  }
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + std::to_string(width) + "\" height=\"" +
         std::to_string((rows.size() + 1) * kHeight) + "\" font-family=\"monospace\" font-size=\"13\">\n" + body +
         "</svg>\n";
}

}  // namespace hexproof::te
