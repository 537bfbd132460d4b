#include <algorithm>

#include "rewrite/rules/args/buffers.h"
#include "rewrite/schedule/buffers/caches.h"
#include "rewrite/schedule/steps.h"
#include "rewrite/site/places.h"

namespace hexproof {

void storage_align(Schedule& schedule, const BlockRef& block, int64_t buffer_index, int64_t axis, int64_t factor,
                   int64_t offset) {
  Steps steps(schedule);
  steps.all_or_nothing([&] {
    const Buffer buffer = schedule.buffer_of(block, {.write = true, .index = buffer_index});
    const auto rank = static_cast<int64_t>(buffer->ndim());
    if (axis < -rank || axis >= rank) steps.fail("'" + buffer->name + "' has no axis " + std::to_string(axis));
    if (factor < 1 || offset < 0) steps.fail("the factor is at least 1, and the offset at least 0");
    if (factor > INT32_MAX || offset > INT32_MAX) {
      steps.fail("factor and offset are at most 2^31 - 1: no row of a buffer is longer");
    }
    const size_t at = static_cast<size_t>(axis < 0 ? axis + rank : axis);
    Wide inner = 1, stride = 1;
    // Elements lie next to one another along the axes of one group.
    size_t end = buffer->ndim();
    for (const int separator : buffer->axis_separators) {
      if (static_cast<size_t>(separator) > at) end = std::min(end, static_cast<size_t>(separator));
    }
    for (size_t d = at + 1; d < end; ++d) {
      const int64_t* extent = as_int(buffer->shape[d]);
      if (!extent || *extent < 1) steps.fail("the extents behind axis " + std::to_string(axis) + " are no constants");
      stride *= *extent;
      if (d > at + 1) inner *= *extent;
      if (stride > INT32_MAX) steps.fail("the rows are too long");
    }
    const Wide want = offset % factor, rest = ((want - stride) % factor + factor) % factor, wide = stride + rest;
    if (rest == 0) return;
    if (at + 1 == end) steps.fail("elements of the last axis lie next to one another");
    if (wide % inner != 0 || wide > INT32_MAX) {
      steps.fail("rows of " + to_string(wide) + " elements are no whole number of the axes behind, which have " +
                 to_string(inner));
    }
    if (!fits_type(buffer->shape[at + 1]->dtype, wide / inner)) steps.fail("the rows are too long");
    std::vector<Expr> shape = buffer->shape;
    shape[at + 1] = imm(shape[at + 1]->dtype, static_cast<int64_t>(wide / inner));
    steps.apply(GrowBufferArgs{.buffer = buffer, .shape = shape});
  });
}

}  // namespace hexproof
