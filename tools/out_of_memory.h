// A process without memory, where no exception helps. (Where one does, it is std::bad_alloc: tools/api/failure.h.)
#pragma once

namespace hexproof::tools {

/// The C library loads what it unwinds its own frames with (those of pthread_once, say) when the first exception meets
/// them, and aborts where there is no memory for it then: so it does it now, or the process ends as one without memory.
void link_unwinder();

}  // namespace hexproof::tools
