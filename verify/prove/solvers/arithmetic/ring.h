// Equality of data arithmetic as polynomials: integers that wrap are a commutative ring.
#pragma once
#include "ir/expr.h"

namespace hexproof {

/// Is `goal` an equation of two integer expressions that stay in their type and are one polynomial modulo
/// 2^bits over their parts that are no sum, difference or product? Then it holds for all values: Z/2^bits is a
/// commutative ring. False says nothing. Bit-blasting does not prove such laws for products at 32 and 64 bits.
bool equal_in_ring(const Expr& goal);

}  // namespace hexproof
