// Scripts of tensor expressions.
#pragma once
#include <memory>

#include "ir/base/diagnostic.h"
#include "rewrite/te/lower/lower.h"

namespace hexproof::te {

/// Does the text speak of te.placeholder, te.compute, ... outside of comments and strings? No TVMScript does.
bool is_script(const std::string& text);

/// Runs the script by Python (tools/python/). What it lowers last: by tvm.lower or te.create_prim_func, or else its
/// last schedule. Errors: Error at the place of the mistake, Unsupported for what is not modelled.
Script run_script(std::shared_ptr<const SourceFile> file);

}  // namespace hexproof::te
