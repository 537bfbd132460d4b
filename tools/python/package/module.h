// The module `hexproof._hexproof`: the public functions (include/hexproof/) in Python.
#pragma once
#include <pybind11/pybind11.h>

namespace hexproof::python {

/// Defines it all: what schedules use (tools/python/objects.h), and check, equiv, certify, run.
void define_module(pybind11::module_& module);
/// layout and audit: a part of it.
void define_more(pybind11::module_& module);
/// In a process that has started Python by itself: `import hexproof` finds the module, and the package in this folder.
void serve_package(const std::string& folder);

}  // namespace hexproof::python
