// Arguments with padding that nobody filled: left, filled in one way or another, read too early.
#include "fuzz/constructs/constructs.h"

namespace hexproof {
namespace {

/// Sixteen cells in one row or in four, of which some are padding.
struct Padded {
  Cells cells;
  std::string form;  // a condition on the position

  std::string is_padding(const std::string& position) const { return fmt::format(fmt::runtime(form), position); }
};

Padded padded_argument(Sketch& s) {
  static const std::vector<std::string> kForms = {"{} >= 13", "{} >= 8", "{} < 2", "{} % 4 == 3"};
  const bool rows = s.choices.chance(40);
  Padded out{{}, s.choices.pick(kForms)};
  out.cells = s.unfilled(rows ? std::vector<int64_t>{4, 4} : std::vector<int64_t>{16},
                         out.is_padding(rows ? "(i * 4 + j)" : "i"));
  return out;
}

/// Calls `body` with the indices and the position of each cell, in a block now and then.
template <class F>
void over_cells(Sketch& s, const Padded& a, F body) {
  const bool rows = a.cells.shape.size() == 2;
  std::string i, j, at, position;
  Sketch::Suite outer = s.loop(a.cells.shape[0], &i);
  std::optional<Sketch::Suite> inner, block;
  if (rows) {
    j = s.fresh("i");
    s.line("for {} in range(4):", j);
    inner.emplace(s, Counter{j, 4});
  }
  if (s.choices.chance(40)) {
    s.line("with T.block(\"{}\"):", s.fresh("p"));
    block.emplace(s);
    const std::string v = s.fresh("v"), w = s.fresh("v");
    s.line("{} = T.axis.spatial({}, {})", v, a.cells.shape[0], i);
    if (rows) s.line("{} = T.axis.spatial(4, {})", w, j);
    i = v, j = w;
  }
  body(rows ? i + ", " + j : i, rows ? "(" + i + " * 4 + " + j + ")" : i);
  block.reset();
}

/// Some of the padding, or all of it, gets a value, or any value.
void fill_padding(Sketch& s, const Padded& a) {
  const std::string& name = a.cells.name;
  const uint32_t kind = s.choices.below(4);
  const std::string but = s.choices.chance(70) ? "" : fmt::format(" and {{0}} != {}", s.choices.below(16));
  over_cells(s, a, [&](const std::string& at, const std::string& position) {
    const std::string here = a.is_padding(position) + fmt::format(fmt::runtime(but), position);
    if (kind == 0) {
      s.line("T.assume(not ({}) or {}[{}] == T.undef())", here, name, at);
      return;
    }
    Sketch::Suite branch = s.open("if {}:", here);
    s.line("{}[{}] = {}", name, at, kind == 1 ? s.value("int32", 1) : "T.undef()");
  });
}

/// What is no padding is written or read; now and then a little more.
void use_padded(Sketch& s, const Padded& a) {
  const bool writes = s.choices.chance(40);
  Cells out = writes ? a.cells : s.shared({16});
  const bool all = s.choices.chance(writes ? 50 : 8);
  over_cells(s, a, [&](const std::string& at, const std::string& position) {
    std::optional<Sketch::Suite> branch;
    if (!all) s.line("if not ({}):", a.is_padding(position)), branch.emplace(s);
    if (writes) {
      s.line("{}[{}] = {}", out.name, at, s.value("int32", 1));
    } else {
      s.line("{}[{}] = {}[{}] + {}", out.name, position, a.cells.name, at, s.value("int32", 1));
    }
  });
}

void padding_nobody_filled(Sketch& s) {
  const Padded a = padded_argument(s);
  use_padded(s, a);
  if (s.choices.chance(50)) use_padded(s, a);
}

void padding_filled_later(Sketch& s) {
  const Padded a = padded_argument(s);
  if (s.choices.chance(50)) use_padded(s, a);
  fill_padding(s, a);
  if (s.choices.chance(50)) use_padded(s, a);
  if (s.choices.chance(20)) fill_padding(s, a);
}

/// What comes later may read all of it.
void padding_filled_by_values(Sketch& s) {
  const Padded a = padded_argument(s);
  if (s.choices.chance(50)) use_padded(s, a);
  over_cells(s, a, [&](const std::string& at, const std::string& position) {
    Sketch::Suite branch = s.open("if {}:", a.is_padding(position));
    s.line("{}[{}] = {}", a.cells.name, at, s.value("int32", 1));
  });
  s.readable.push_back(a.cells);
  if (s.choices.chance(50)) s.store(s.shared({16}), s.index(16));
}

}  // namespace

const std::vector<Construct> kPaddingConstructs = {
    {"padding-nobody-filled", &padding_nobody_filled},
    {"padding-filled-later", &padding_filled_later},
    {"padding-filled-by-values", &padding_filled_by_values},
};

}  // namespace hexproof
