// What schedules and scripts have read.
#pragma once
#include <string>
#include <vector>

namespace hexproof::python {

/// The files that schedules and scripts of tensor expressions of this process have opened to read, also to import them;
/// sorted, without what is installed with Python. In an interpreter that is not ours nobody looks, and there are none.
std::vector<std::string> files_read();

}  // namespace hexproof::python
