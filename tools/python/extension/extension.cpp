// `import hexproof` in any Python: the compiled part of the package.
#include <pybind11/pybind11.h>

#include "tools/python/package/module.h"

PYBIND11_MODULE(_hexproof, m) { hexproof::python::define_module(m); }
