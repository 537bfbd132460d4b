// Branches, and stores that others make superfluous.
#include "fuzz/constructs/constructs.h"

namespace hexproof {
namespace {

void branch(Sketch& s) {
  Cells a = s.shared({16});
  std::string i;
  Sketch::Suite loop = s.loop(16, &i);
  {
    Sketch::Suite yes = s.open("if {}:", s.condition());
    s.store(a, i);
  }
  if (s.choices.chance(50)) {
    Sketch::Suite no = s.open("else:");
    s.store(a, s.index(16));
  }
}

void decided_branch(Sketch& s) {
  Cells a = s.shared({16});
  std::string i, j;
  Sketch::Suite outer = s.loop(4, &i);
  Sketch::Suite inner = s.loop(4, &j);
  static const std::vector<std::string> kForms = {"{0} * 4 + {1} < 16", "{0} < 4", "{1} >= 0", "{0} * 4 + {1} > 15",
                                                  "{0} + {1} <= 6"};
  Sketch::Suite yes = s.open("if {}:", fmt::format(fmt::runtime(s.choices.pick(kForms)), i, j));
  s.store(a, fmt::format("{} * 4 + {}", i, j));
}

void nested_branches(Sketch& s) {
  Cells a = s.shared({16});
  std::string i;
  Sketch::Suite loop = s.loop(16, &i);
  Sketch::Suite outer = s.open("if {}:", s.condition());
  Sketch::Suite inner = s.open("if {}:", s.condition());
  s.store(a, i);
}

void branch_on_conjunction(Sketch& s) {
  Cells a = s.shared({16});
  std::string i;
  Sketch::Suite loop = s.loop(16, &i);
  Sketch::Suite yes = s.open("if {} and {}:", s.condition(), s.condition());
  s.store(a, i);
}

void neighbouring_branches(Sketch& s) {
  Cells a = s.shared({16}), b = s.shared({16});
  std::string i;
  Sketch::Suite loop = s.loop(16, &i);
  std::string c = s.choices.chance(50) ? s.condition() : s.index_condition();
  {
    Sketch::Suite yes = s.open("if {}:", c);
    s.store(a, s.choices.chance(60) ? i : s.index(16));
  }
  Sketch::Suite other = s.open("if {}({}):", s.choices.chance(50) ? "" : "not ", c);
  s.store(b, i);
}

void equal_branches(Sketch& s) {
  Cells a = s.shared({16});
  std::string i, c, text;
  Sketch::Suite loop = s.loop(16, &i);
  c = s.condition(),
  text = fmt::format("{}[{}] = {}", a.name, s.choices.chance(60) ? i : s.index(16), s.value("int32"));
  {
    Sketch::Suite yes = s.open("if {}:", c);
    s.line("{}", text);
  }
  Sketch::Suite no = s.open("else:");
  s.line("{}", text);
}

/// What the branch stores is overwritten, or was given free, where it does not hold.
void branch_over_padding(Sketch& s) {
  Cells a = s.shared({16}), b = s.choices.chance(50) ? s.argument({4, 4}) : s.shared({4, 4});
  std::string c = fmt::format(" * 4 + {{}} < {}", s.choices.chance(70) ? 14 : 13), i, j, k, l;
  {
    Sketch::Suite outer = s.loop(4, &i);
    Sketch::Suite inner = s.loop(4, &j);
    Sketch::Suite yes = s.open("if {}:", i + fmt::format(fmt::runtime(c), j));
    s.line("{}[{}, {}] = {}[{} * 4 + {}] + 1", b.name, i, j, a.name, i, j);
  }
  if (!s.choices.chance(80)) return;
  Sketch::Suite outer = s.loop(4, &k);
  Sketch::Suite inner = s.loop(4, &l);
  Sketch::Suite no = s.open("if not ({}):", k + fmt::format(fmt::runtime(c), l));
  s.line("{}[{}, {}] = {}", b.name, k, l, s.choices.chance(70) ? "0" : "T.undef()");
}

void dead_store(Sketch& s) {
  Cells a = s.shared({16}), b = s.choices.chance(40) ? s.allocation({16}) : s.shared({16});
  std::string i, j;
  {
    Sketch::Suite loop = s.loop(16, &i);
    s.line("{}[{}] = {}", b.name, i, s.value("int32", 1));
  }
  if (s.choices.chance(40)) s.line("{}[{}] = {}[{}]", a.name, s.choices.below(16), b.name, s.choices.below(16));
  Sketch::Suite loop = s.loop(16, &j);
  s.line("{}[{}] = {}", b.name, j, s.value("int32", 1));
}

void store_of_what_is_there(Sketch& s) {
  Cells a = s.shared({16});
  std::string i;
  Sketch::Suite loop = s.loop(16, &i);
  switch (s.choices.below(3)) {
    case 0:
      s.line("{}[{}] = {}[{}]", a.name, i, a.name, i);
      break;
    case 1: {
      Sketch::Suite yes = s.open("if {}[{}] == {}:", a.name, i, s.choices.below(3));
      if (s.choices.chance(30)) s.store(a);
      s.line("{}[{}] = {}", a.name, i, s.choices.below(3));
      break;
    }
    default:
      s.line("{}[{}] = 0", a.name, i);
      if (s.choices.chance(50)) s.store(a);
      s.line("{}[{}] = 0", a.name, i);
  }
}

/// A condition on a cell that the branch itself changes.
void branch_on_changed_cell(Sketch& s) {
  Cells a = s.shared({4}), b = s.shared({4}), c = s.shared({4});
  std::string at = std::to_string(s.choices.below(4)), to = std::to_string(s.choices.below(4));
  Sketch::Suite outer = s.open("if {}[{}] > 0:", a.name, at);
  s.line("{}[{}] = {}", a.name, at, s.choices.chance(60) ? "-1" : s.constant("int32"));
  {
    Sketch::Suite inner = s.open("if {}[{}] {} 0:", a.name, at, s.choices.chance(60) ? "<" : ">");
    s.line("{}[{}] = 1", b.name, to);
  }
  if (s.choices.chance(70)) s.line("{}[{}] = {}[{}]", c.name, s.choices.below(4), b.name, to);
  s.line("{}[{}] = 2", b.name, to);
}

void branch_around_loop(Sketch& s) {
  Cells a = s.shared({16});
  std::string i, j;
  Sketch::Suite outer = s.loop(4, &i);
  Sketch::Suite yes = s.open("if {}:", s.condition());
  Sketch::Suite inner = s.loop(4, &j);
  s.store(a, fmt::format("{} * 4 + {}", i, j));
}

void condition_of_outer_loop(Sketch& s) {
  Cells a = s.shared({16});
  std::string i, j;
  Sketch::Suite outer = s.loop(4, &i);
  std::string c = s.condition();
  Sketch::Suite inner = s.loop(4, &j);
  {
    Sketch::Suite yes = s.open("if {}:", c);
    s.store(a, fmt::format("{} * 4 + {}", i, j));
  }
  if (s.choices.chance(40)) {
    Sketch::Suite no = s.open("else:");
    s.store(a);
  }
}

}  // namespace

const std::vector<Construct> kBranchConstructs = {
    {"branch", &branch},
    {"decided-branch", &decided_branch},
    {"nested-branches", &nested_branches},
    {"branch-on-conjunction", &branch_on_conjunction},
    {"neighbouring-branches", &neighbouring_branches},
    {"equal-branches", &equal_branches},
    {"branch-over-padding", &branch_over_padding},
    {"dead-store", &dead_store},
    {"store-of-what-is-there", &store_of_what_is_there},
    {"branch-on-changed-cell", &branch_on_changed_cell},
    {"branch-around-loop", &branch_around_loop},
    {"condition-of-outer-loop", &condition_of_outer_loop},
};

}  // namespace hexproof
