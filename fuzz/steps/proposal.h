// Arguments of steps that fit a program now and then.
#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/case.h"
#include "fuzz/choices.h"
#include "fuzz/hunt/places.h"
#include "fuzz/programs/names.h"
#include "ir/visit.h"
#include "rewrite/memory/speculation.h"
#include "rewrite/rules/args/buffers.h"
#include "rewrite/rules/args/traces.h"

namespace hexproof {

struct Proposal {
  Choices& choices;
  const Places& places;
  const PrimFunc& func;
  size_t dims = 0;           // of the layout that was proposed last
  std::string inverse = {};  // its inverse, or nearly; empty: none at hand

  /// One of the paths; nothing fits when there is none, and the rule will say so.
  Path at(const std::vector<Path>& paths) { return paths.empty() ? Path{} : choices.pick(paths); }
  /// Mostly one of those with the shape that the rule looks for.
  Path at(const std::vector<Path>& fitting, const std::vector<Path>& others) {
    return at(!fitting.empty() && choices.chance(75) ? fitting : others);
  }
  std::string allocation() {
    return !places.allocations.empty() && choices.chance(80) ? choices.pick(places.allocations)->name : buffer()->name;
  }
  /// A statement with an expression that fits, and where that stands; anywhere when there is none.
  ExprPlace expr_that(bool (*fits)(const Expr&)) {
    std::vector<ExprPlace> found;
    for (const Path& statement : places.all) {
      for (Path& e : expr_places(func, statement, fits)) found.push_back({statement, std::move(e)});
    }
    if (found.empty() || choices.chance(10)) {
      const Path& statement = choices.pick(places.all);
      return {statement, expr(statement)};
    }
    return choices.pick(found);
  }
  std::string block() { return places.block_names.empty() ? "none" : choices.pick(places.block_names); }
  const Buffer& buffer() {
    static const Buffer none = make_buffer("none", kInt32, {i32(1)});
    return places.buffers.empty() ? none : choices.pick(places.buffers);
  }
  /// A buffer that a store inside of the statement at `outer` writes, mostly.
  std::string stored_below(const Path& outer) {
    std::vector<std::string> found;
    for (const Path& at : places.stores) {
      const bool below = outer.size() <= at.size() && std::equal(outer.begin(), outer.end(), at.begin());
      if (below) found.push_back(stmt_at(func, at).as<Store>()->buffer->name);
    }
    return found.empty() || choices.chance(30) ? buffer()->name : choices.pick(found);
  }
  std::string name() { return index_names(choices, std::string(1, static_cast<char>('p' + choices.below(8))), 1)[0]; }

  /// Somewhere inside of the statement at `statement`: positions that exist now and then.
  Path expr(const Path& statement) {
    Path path;
    std::vector<Expr> roots = expressions(stmt_at(func, statement));
    if (roots.empty()) return {0};
    path.push_back(static_cast<int>(choices.below(static_cast<uint32_t>(roots.size()))));
    Expr e = roots[static_cast<size_t>(path[0])];
    while (e && !e->args.empty() && choices.chance(60)) {
      path.push_back(static_cast<int>(choices.below(static_cast<uint32_t>(e->args.size()))));
      e = Expr(e->args[static_cast<size_t>(path.back())]);
    }
    return path;
  }
  /// A statement around the one at `inner`, mostly a loop.
  Path around(const Path& inner) {
    std::vector<Path> loops;
    for (const Path& at : places.loops) {
      if (at.size() <= inner.size() && std::equal(at.begin(), at.end(), inner.begin())) loops.push_back(at);
    }
    if (!loops.empty() && choices.chance(80)) return choices.pick(loops);
    return Path(inner.begin(), inner.begin() + choices.below(static_cast<uint32_t>(inner.size()) + 1));
  }
  /// Why each of a few stores leaves no trace.
  std::vector<Trace> traces() {
    std::vector<Trace> out;
    for (uint32_t k = choices.below(3); k-- > 0;) {
      Trace one{choices.chance(30)   ? Trace::Kind::Same
                : choices.chance(30) ? Trace::Kind::Unread
                                     : Trace::Kind::Overwritten};
      if (one.kind == Trace::Kind::Overwritten) {
        one.by = places.stores.empty() ? Path{0} : choices.pick(places.stores);
        if (one.by.empty()) one.by = {0};
      }
      out.push_back(std::move(one));
    }
    return out;
  }

  Path order() {
    std::vector<Path> orders = {{1, 0}, {1, 0}, {2, 1, 0}, {0, 2, 1}, {1, 2, 0}, {2, 0, 1}, {3, 1, 2, 0}};
    return choices.pick(orders);
  }

  /// Splits, permutations, shifts, reversals, holes, bits that are flipped, digits that collide: layouts that are
  /// right, with padding at either end or between, and layouts that are not.
  IndexMap layout(const Buffer& b) { return index_map_of(layout_text(b)); }
  std::string layout_text(const Buffer& b) {
    size_t n = b->ndim();
    if (n == 0) return dims = 0, "lambda i: [i]";
    const std::vector<std::string> names = index_names(choices, "i", n);
    std::vector<std::string> out = names;
    size_t d = choices.below(static_cast<uint32_t>(n));
    std::string k = std::to_string(2 + choices.below(3)), v = names[d];
    std::string o = std::to_string(choices.below(4));
    inverse.clear();
    switch (choices.below(12)) {
      case 0:
        out[d] = v + " // " + k, out.push_back(v + " % " + k);
        inverse = inverse_of_split(n, d, d, n, k);
        break;
      case 1:
        std::swap(out[d], out[0]);
        break;
      case 2:
        out[d] = v + " // " + k, out.insert(out.begin(), v + " % " + k);
        inverse = inverse_of_split(n, d, d + 1, 0, k);
        break;
      case 3:
        out[d] = v + " // " + k;
        break;  // not injective
      case 4:
        out[d] = v + " + " + k;
        break;  // not minimal
      case 5:
        if (!as_int(b->shape[d])) break;
        // The second has an inverse that nobody is told of.
        out[d] = choices.chance(50)
                     ? std::to_string(*as_int(b->shape[d]) - 1) + " - " + v
                     : "(" + v + (choices.chance(50) ? " * 3) % " : " * 5) % ") + std::to_string(*as_int(b->shape[d]));
        break;
      case 6:
        out[d] = "(" + v + " + " + o + ") // " + k, out.push_back("(" + v + " + " + o + ") % " + k);
        break;
      case 7:
        out[d] = "(" + v + " + " + o + ") // " + k, out.insert(out.begin(), "(" + v + " + " + o + ") % " + k);
        break;
      case 8:
        out[d] = choices.chance(50) ? v + " * " + k : v + " // 2 * " + k + " + " + v + " % 2";
        break;
      case 9:
        if (n > 1 && d > 0) {
          std::string wide = std::to_string((as_int(b->shape[d]) ? *as_int(b->shape[d]) : 4) + choices.below(3));
          out[d - 1] = "(" + names[d - 1] + " * " + wide + " + " + v + ") // " + k;
          out[d] = "(" + names[d - 1] + " * " + wide + " + " + v + ") % " + k;
        }
        break;
      case 10: {
        // Bits that others flip, of the same index or of another one.
        const std::string bits = std::to_string(2u << choices.below(3)), mask = names[(d + 1) % n];
        if (n > 1) {
          out[d] = choices.chance(70) ? v + " ^ (" + mask + " % " + bits + ")" : v + " ^ (" + mask + " // " + k + ")";
        } else if (choices.chance(50)) {
          out[d] = v + " // " + bits;
          out.push_back("(" + v + " % " + bits + ") ^ (" + v + " // " + bits + " % " + k + ")");
        } else {
          out[d] = v + " ^ (" + v + " // " + k + " % " + bits + ")";
        }
        break;
      }
      default:
        if (n > 1 && d > 0 && as_int(b->shape[d])) {
          out[d - 1] = names[d - 1] + " * " + std::to_string(*as_int(b->shape[d])) + " + " + v;
          out.erase(out.begin() + static_cast<std::ptrdiff_t>(d));
        }
    }
    std::string text = "lambda ";
    for (size_t i = 0; i < n; ++i) text += (i ? ", " : "") + names[i];
    text += ": [";
    for (size_t i = 0; i < out.size(); ++i) text += (i ? ", " : "") + out[i];
    dims = out.size();
    return text + "]";
  }

  /// Such a map over the variables of a block.
  IndexMap block_map(const Path& at) { return index_map_of(block_map_text(at)); }
  std::string block_map_text(const Path& at) {
    std::vector<Expr> extents;
    const Stmt stmt = stmt_at(func, at);
    if (const Block* block = stmt.as<Block>()) {
      for (const IterVar& iter : block->iters) extents.push_back(iter.dom.extent);
    }
    return layout_text(make_buffer("block", kInt32, extents));
  }

  ReindexedArgs reindexed(uint32_t index) {
    ReindexedArgs args;
    const Path block = at(places.blocks);
    args.block = block, args.index = index, args.name = name();
    if (choices.chance(40)) args.map = block_map(block);
    return args;
  }

  /// Of `n` dimensions, number d was split by k into outputs number `quotient` and `rest`; one time in two a little
  /// wrong.
  std::string inverse_of_split(size_t n, size_t d, size_t quotient, size_t rest, const std::string& k) {
    std::string names, out;
    for (size_t p = 0; p <= n; ++p) names += (p ? ", p" : "p") + std::to_string(p);
    std::string q = "p" + std::to_string(quotient), r = "p" + std::to_string(rest);
    std::vector<std::string> whole = {q + " * " + k + " + " + r,           q + " * " + k + " + " + r,
                                      q + " * " + k + " + " + r,           q + " * " + k + " + " + r + " + 1",
                                      r + " * " + k + " + " + q,           q + " * " + k,
                                      q + " * " + k + " + " + r + " // 2", q + " * 2 + " + r};
    for (size_t i = 0, p = rest == 0 ? 1 : 0; i < n; ++i, ++p) {
      out += (i ? ", " : "") + (i == d ? choices.pick(whole) : "p" + std::to_string(p));
    }
    return "lambda " + names + ": [" + out + "]";
  }

  /// A part of a buffer: mostly a little less than all of it.
  void region(const Buffer& b, CompactBufferArgs* args) {
    std::vector<Expr> base, extent;
    for (const Expr& n : b->shape) {
      int64_t whole = as_int(n) ? *as_int(n) : 4, first = choices.chance(60) ? 0 : choices.below(3);
      base.push_back(i32(first));
      extent.push_back(i32(whole - (choices.chance(50) ? first : choices.below(4)) + (choices.chance(10) ? 1 : 0)));
    }
    args->base = base, args->extent = extent;
  }

  /// What padding may hold, for the layout that was proposed last; nothing for none.
  std::optional<PadArg> pad_value(DType type) {
    static const std::vector<int64_t> kNumbers = {0, 1, -1, 5, -128, 127};
    switch (choices.below(7)) {
      case 0:
      case 1:
        return std::nullopt;
      case 2:
        return "undef";
      case 3: {
        std::string names, sum = std::to_string(choices.below(5));
        const std::vector<std::string> indices = index_names(choices, "p", dims);
        for (size_t d = 0; d < dims; ++d) {
          const std::string& p = indices[d];
          names += (d ? ", " : "") + p;
          sum += " + " + p + " * " + std::to_string(1 + choices.below(4));
        }
        return index_map_of("lambda " + names + ": [" + sum + "]");
      }
      case 4: {  // a cell of the buffer itself, now and then one that is no padding
        std::string names, cell;
        const std::vector<std::string> indices = index_names(choices, "p", dims);
        for (size_t d = 0; d < dims; ++d) {
          const std::string &p = indices[d], k = std::to_string(1 + choices.below(3));
          names += (d ? ", " : "") + p;
          cell += ", " + (choices.chance(50) ? k : choices.chance(50) ? p + " % " + k : p + " // " + k);
        }
        return index_map_of("lambda " + names + ": [T.call_pure_extern(\"" + type.str() + "\", \"transformed\"" + cell +
                            ")]");
      }
      default:
        return choices.pick(kNumbers);
    }
  }
};

}  // namespace hexproof
