# One slot: the next row's input comes into the cache that this row's output still has to leave.
sch.make_async(sch.get_loop("ho"), slots=1, ahead=1)
