# section: New Primitive - Remove Branching Through Overcompute
# listing before: 1268
# listing after: 1282
# document after: equal
# schedule
sch.transform_layout("compute", "B", lambda i: [i // 4, i % 4], pad_value=0.0)
# after
@T.prim_func
def window_sums(A: T.Buffer((4, 4), "float32"), F: T.Buffer((3,), "float32"), B: T.Buffer((4, 4), "float32")):
    T.func_attr({"hexproof.padding.2": "lambda io, ii: io * 4 + ii >= 14"})
    with T.block("compute"):
        for i in range(14):
            B[i // 4, i % 4] = T.float32(0.0)
            for f in range(3):
                B[i // 4, i % 4] = B[i // 4, i % 4] + A[(i + f) // 4, (i + f) % 4]
        for io, ii in T.grid(4, 4):
            with T.block("B_padding"):
                vio, vii = T.axis.remap("SS", [io, ii])
                if vio * 4 + vii >= 14:
                    B[vio, vii] = T.float32(0.0)
