// What a rule owes for a memory that it makes, or makes anew in another shape.
#pragma once
#include <string>
#include <vector>

#include "rewrite/kernel/kernel.h"

namespace hexproof {

/// Obligations: the extents of `buffer`, allocated at `stmt`, are no error and not negative, and it fits in memory.
/// `facts` are those at the place, and what the program before showed there: facts of the new program are none, since
/// they hold only if it exists. `like` is a buffer that exists there: its extents were evaluated.
///
/// That is for a buffer in the place of another one (`like`). What a rule makes besides goes through owe_made (made.h).
void owe_memory(const std::string& rule, const PrimFunc& func, const Stmt& stmt, const Facts& facts,
                const Buffer& buffer, const Buffer& like, std::vector<Obligation>* needs);
/// The second half: it is not negative, and fits in memory.
void owe_size(const std::string& rule, const PrimFunc& func, const Stmt& stmt, const Facts& facts,
              const std::vector<Expr>& given, const Buffer& buffer, std::vector<Obligation>* needs);
/// What is known of a memory for which that was owed.
std::vector<Expr> known_of_memory(const Facts& facts, const Buffer& buffer);

}  // namespace hexproof
