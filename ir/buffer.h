// Buffers: views of memory with a shape and a layout.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "ir/expr.h"

namespace hexproof {

/// A view of the memory that `data` names. Two buffers alias only when they share `data`.
struct BufferNode {
  uint32_t id = 0;
  std::string name;
  DType dtype = kFloat32;
  std::vector<Expr> shape;           // integers; one per dimension, none for a 0-d buffer
  std::vector<Expr> strides;         // in elements; empty: compact, row-major
  Expr elem_offset;                  // in elements; missing: zero
  std::vector<int> axis_separators;  // RFC 39: where the axes are cut into groups, one physical axis each
  std::string scope = "global";
  Var data;           // of type handle
  bool view = false;  // of memory that something else declares or allocates
  Buffer declared;    // of a view as it is where variables have other values (`moved`): the one of the program

  size_t ndim() const { return shape.size(); }
};

/// What differs from the defaults of a new buffer.
struct BufferOptions {
  std::vector<Expr> strides = {};
  Expr elem_offset = {};
  std::vector<int> axis_separators = {};
  std::string scope = "global";
  Var data = {};  // missing: memory of its own
};

/// A buffer that equals no other one.
Buffer make_buffer(std::string name, DType type, std::vector<Expr> shape, BufferOptions options = {});
/// The view as it lies where the variables of the map have those values: what a formula loads from at another moment.
/// One buffer for one layout; `view` itself where its layout mentions none of them. No program declares it.
Buffer moved(const Buffer& view, const std::map<Var, Expr>& map);
/// The buffer of the program that this one is, or was before it `moved`: what declarations, views and memories are
/// known by.
inline const Buffer& as_declared(const Buffer& buffer) { return buffer->declared ? buffer->declared : buffer; }
/// As `like` but with another shape (compact; no offset, no separators) and memory of its own.
Buffer with_shape(const Buffer& like, std::vector<Expr> shape);

/// The expressions of the layout: extents, strides and, where there is one, the offset. They are evaluated where the
/// buffer is declared.
std::vector<Expr> layout_exprs(const Buffer& buffer);
/// The shape as numbers when all extents are constants.
std::optional<std::vector<int64_t>> constant_shape(const Buffer& buffer);

}  // namespace hexproof
