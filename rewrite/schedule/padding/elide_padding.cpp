// elide_padding(block, buffer): a padded allocation becomes a view of memory without its padding.
#include "ir/visit.h"
#include "rewrite/rules/args/buffers.h"
#include "rewrite/schedule/schedule.h"
#include "rewrite/site/buffers.h"

namespace hexproof {
namespace {

bool same_shape(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  if (a.size() != b.size()) return false;
  for (size_t d = 0; d < a.size(); ++d) {
    bool equal = a[d] == b[d] || (as_int(a[d]) && as_int(b[d]) && int_value(a[d]) == int_value(b[d]));
    if (!equal) return false;
  }
  return true;
}

/// Buffers of that name that are allocated in the program.
std::vector<Buffer> allocations(const PrimFunc& func, const std::string& name) {
  std::vector<Buffer> found;
  visit_stmt(func.body, [&](const Stmt& s) {
    const AllocBuffer* alloc = s.as<AllocBuffer>();
    if (alloc && alloc->buffer->name == name) found.push_back(alloc->buffer);
    return true;
  });
  return found;
}

/// The layouts that the derivation gave the buffer, by its last changes as one: all suffixes of the chain of layouts
/// that led to `buffer`, the longest one last.
std::vector<LayoutChange> origins(const Derivation& derivation, const Buffer& buffer) {
  std::vector<LayoutChange> out;
  Buffer reached = buffer;
  for (size_t k = derivation.steps().size(); k-- > 0;) {
    const Step& step = derivation.steps()[k];
    if (step.rule != "transform-layout" || !step.interface_changes.empty()) continue;
    const TransformLayoutArgs args = args_from<TransformLayoutArgs>(step.args);
    Buffer before = buffer_arg(step.before, args.buffer).buffer;
    std::vector<Buffer> after = allocations(step.after, before->name);
    if (before->name != reached->name || after.size() != 1 || !same_shape(after[0]->shape, reached->shape)) continue;
    IndexMap map = args.map;
    if (!out.empty()) map.outputs = apply_map(out.back().map, map.outputs);
    map.axis_separators.clear();
    out.push_back({before, buffer, map});
    reached = before;
  }
  return out;
}

}  // namespace

void Schedule::elide_padding(const BlockRef& block, const BufferChoice& choice,
                             const std::optional<LayoutChange>& logical) {
  primitive([&] {
    const Buffer buffer = chosen_buffer(block, choice, false);
    std::vector<LayoutChange> found{origins(derivation_, buffer)};
    if (logical) found = {*logical};
    if (found.empty()) {
      bool param = false;
      for (const Buffer& b : func().buffer_params()) param = param || b == buffer;
      fail(param ? "'" + buffer->name + "' is an argument: its memory belongs to the caller"
                 : "no transform_layout of '" + buffer->name + "' has led to its layout");
    }
    // The first layout of all is what the storage is to hold; else a later one.
    std::exception_ptr refused;
    for (size_t k = found.size(); k-- > 0;) {
      try {
        return apply(ElidePaddingArgs{.buffer = buffer, .shape = found[k].before->shape, .map = found[k].map});
      } catch (const Refused&) {
        if (!refused) refused = std::current_exception();
      }
    }
    std::rethrow_exception(refused);
  });
}

}  // namespace hexproof
