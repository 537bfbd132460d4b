// What check and equiv found, as dicts of Python.
#pragma once
#include <pybind11/pybind11.h>

#include "tools/api/detail.h"

namespace hexproof::python {

/// What an exception of a check carries.
pybind11::dict report_of_check(const CheckReport& report);
pybind11::dict dict_of(const api::Checked& checked);
pybind11::dict dict_of(const api::Compared& compared);

}  // namespace hexproof::python
