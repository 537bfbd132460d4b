# section: New Primitive - Remove Branching Through Overcompute
# listing before: 1300
# listing after: 1332
# document before: equal
# document after: refuted
# errata: without its branch the loop reads A[4, 0] and A[4, 1] of a (4, 4) buffer, at io = 3 and ii >= 2; a remainder in the index (clamp-index), or a row more in A, repairs it
# schedule
sch.remove_branching_through_overcompute("compute")
# after
@T.prim_func
def window_sums(A: T.Buffer((4, 4), "float32"), F: T.Buffer((3,), "float32"), B: T.Buffer((4, 4), "float32")):
    T.func_attr({"hexproof.padding.2": "lambda io, ii: io * 4 + ii >= 14"})
    with T.block("compute"):
        for io, ii in T.grid(4, 4):
            B[io, ii] = T.float32(0.0)
            for f in range(3):
                B[io, ii] = B[io, ii] + A[(io + (ii + f) // 4) % 4, (ii + f) % 4]
        for io, ii in T.grid(4, 4):
            with T.block("B_padding"):
                vio, vii = T.axis.remap("SS", [io, ii])
                if vio * 4 + vii >= 14:
                    B[vio, vii] = T.float32(0.0)
