# section: New Primitive - Remove Branching Through Overcompute
# listing before: 1282
# listing after: 1300
# document before: equal
# document after: equal
# schedule
sch.sequential_buffer_access("compute", "B")
# after
@T.prim_func
def window_sums(A: T.Buffer((4, 4), "float32"), F: T.Buffer((3,), "float32"), B: T.Buffer((4, 4), "float32")):
    T.func_attr({"hexproof.padding.2": "lambda io, ii: io * 4 + ii >= 14"})
    with T.block("compute"):
        for io, ii in T.grid(4, 4):
            if io * 4 + ii < 14:
                B[io, ii] = T.float32(0.0)
                for f in range(3):
                    B[io, ii] = B[io, ii] + A[io + (ii + f) // 4, (ii + f) % 4]
        for io, ii in T.grid(4, 4):
            with T.block("B_padding"):
                vio, vii = T.axis.remap("SS", [io, ii])
                if vio * 4 + vii >= 14:
                    B[vio, vii] = T.float32(0.0)
