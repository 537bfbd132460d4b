#include "fuzz/programs/sketch.h"

#include <algorithm>

#include "ir/link/link.h"
#include "ir/text/text.h"

namespace hexproof {

int64_t Cells::size() const {
  int64_t out = 1;
  for (int64_t extent : shape) out *= extent;
  return out;
}

std::string shape_text(const std::vector<int64_t>& shape) {
  std::string out = "(";
  for (size_t d = 0; d < shape.size(); ++d) out += (d ? ", " : "") + std::to_string(shape[d]);
  return out + (shape.size() == 1 ? ",)" : ")");
}

Sketch::Suite::Suite(Sketch& sketch)
    : sketch_(sketch),
      indent_(sketch.indent_),
      readable_(sketch.readable.size()),
      counters_(sketch.counters.size()),
      written_(sketch.body_.size()) {
  ++sketch_.indent_;
}

Sketch::Suite::Suite(Sketch& sketch, Counter counter) : Suite(sketch) { sketch.counters.push_back(std::move(counter)); }

Sketch::Suite::~Suite() {
  if (sketch_.body_.size() == written_) sketch_.write("T.evaluate(0)");
  sketch_.indent_ = indent_;
  // Arguments are readable from anywhere on; what was allocated in the suite ends with it.
  std::vector<Cells> arguments;
  for (size_t k = readable_; k < sketch_.readable.size(); ++k) {
    const std::string head = sketch_.readable[k].name + ": ";
    bool argument = std::any_of(sketch_.parameters_.begin(), sketch_.parameters_.end(),
                                [&](const std::string& p) { return p.starts_with(head); });
    if (argument) arguments.push_back(sketch_.readable[k]);
  }
  sketch_.readable.resize(std::min(readable_, sketch_.readable.size()));
  sketch_.readable.insert(sketch_.readable.end(), arguments.begin(), arguments.end());
  sketch_.counters.resize(counters_);
}

void Sketch::write(const std::string& text) { body_.push_back(std::string(4 * indent_ + 4, ' ') + text); }

Sketch::Suite Sketch::loop(int64_t extent, std::string* name) {
  *name = fresh("i");
  return loop_over(*name, "range(" + std::to_string(extent) + ")", {*name, extent});
}

Sketch::Suite Sketch::loop_over(const std::string& name, const std::string& range, Counter counter) {
  write("for " + name + " in " + range + ":");
  return Suite(*this, std::move(counter));
}

std::string Sketch::type() {
  static const std::vector<std::string> kTypes = {"int32", "int32",   "int32", "int8",   "uint8",
                                                  "int16", "float32", "int64", "uint32", "float16"};
  return choices.pick(kTypes);
}

Cells Sketch::argument(std::vector<int64_t> shape, const std::string& type) {
  Cells cells{fresh("A"), type, std::move(shape)};
  parameters_.push_back(cells.name + ": T.Buffer(" + shape_text(cells.shape) + ", \"" + type + "\")");
  readable.push_back(cells);
  return cells;
}

Cells Sketch::unfilled(std::vector<int64_t> shape, const std::string& padding, const std::string& type) {
  attributes_.push_back(fmt::format("\"hexproof.padding.{}\": \"lambda {}: {}\"", parameters_.size(),
                                    shape.size() == 1 ? "i" : "i, j", padding));
  const Cells cells = argument(std::move(shape), type);
  forget(cells);
  return cells;
}

Cells Sketch::shared(std::vector<int64_t> shape, const std::string& type) {
  std::vector<Cells> fitting;
  for (const Cells& c : readable) {
    if (c.shape == shape && c.type == type) fitting.push_back(c);
  }
  if (!fitting.empty() && !choices.chance(25)) return choices.pick(fitting);
  if (indent_ == 0 && choices.chance(35)) return temporary(std::move(shape), type);
  return argument(std::move(shape), type);
}

Cells Sketch::any() { return readable.empty() ? argument({16}) : choices.pick(readable); }

Cells Sketch::allocation(std::vector<int64_t> shape, const std::string& type) {
  Cells cells{fresh("t"), type, std::move(shape)};
  line("{} = T.{}({}, \"{}\")", cells.name, indent_ == 0 ? "alloc_buffer" : "decl_buffer", shape_text(cells.shape),
       type);
  return cells;
}

Cells Sketch::temporary(std::vector<int64_t> shape, const std::string& type) {
  Cells cells = allocation(std::move(shape), type);
  std::string at, names, extents;
  for (size_t d = 0; d < cells.shape.size(); ++d) {
    std::string z = fresh("z");
    names += (d ? ", " : "") + z;
    extents += (d ? ", " : "") + std::to_string(cells.shape[d]);
  }
  {
    Suite fill = open("for {} in T.grid({}):", names, extents);
    line("{}[{}] = {}", cells.name, names, choices.chance(50) ? constant(type) : leaf(type));
  }
  readable.push_back(cells);
  return cells;
}

void Sketch::forget(const Cells& cells) {
  std::erase_if(readable, [&](const Cells& c) { return c.name == cells.name; });
}

std::string Sketch::scalar(int64_t least, int64_t greatest) {
  std::string name = fresh("n");
  parameters_.push_back(name + ": T.int32");
  prelude_.push_back(fmt::format("T.assume({} >= {} and {} <= {})", name, least, name, greatest));
  return name;
}

std::string Sketch::text() const {
  std::string head = "def main(";
  for (size_t p = 0; p < parameters_.size(); ++p) head += (p ? ", " : "") + parameters_[p];
  std::vector<std::string> lines = {"@T.prim_func", head + "):"};
  std::string attributes;
  for (const std::string& a : attributes_) attributes += (attributes.empty() ? "" : ", ") + a;
  if (!attributes.empty()) lines.push_back("    T.func_attr({" + attributes + "})");
  for (const std::string& l : declarations_) lines.push_back("    " + l);
  for (const std::string& l : prelude_) lines.push_back("    " + l);
  lines.insert(lines.end(), body_.begin(), body_.end());
  if (prelude_.empty() && body_.empty()) lines.push_back("    T.evaluate(0)");
  std::string out;
  if (functions_.empty()) {
    for (const std::string& l : lines) out += l + "\n";
    return out;
  }
  out = "@I.ir_module\nclass Module:\n";
  for (const std::string& l : lines) out += "    " + l + "\n";
  for (const std::string& f : functions_) out += "    @T.prim_func\n" + f;
  return out;
}

PrimFunc Sketch::program() const {
  const std::string source = text();
  try {
    IRModule module = parse_module(source, "<construct>");
    if (has_calls(module)) return link(module, "main").func;
    return module.functions.at(0);
  } catch (const Error& e) {
    throw Error(std::string(e.what()) + "\nin the program that was generated:\n" + source);
  }
}

}  // namespace hexproof
