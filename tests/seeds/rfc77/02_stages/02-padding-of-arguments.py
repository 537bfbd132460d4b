# section: Enhancement - transform_layout
# listing before: 449
# listing after: 461
# document after: no program
# repair after: B[i] = 2 * A[i] => B[i // 4, i % 4] = 2 * A[i // 4, i % 4]
# errata: the computation reads and writes the buffers with the indices that they had before
# errata: the comment on the assume has `4*io + 11 < 14` for `4*io + ii < 14`
# before
@T.prim_func
def double(A: T.Buffer((14,), "float32"), B: T.Buffer((14,), "float32")):
    B_cache = T.alloc_buffer((14,), "float32")
    for i in range(14):
        with T.block("compute"):
            B[i] = T.float32(2) * A[i]
# schedule
sch.transform_layout(block="compute", buffer="A", index_map=lambda i: [i // 4, i % 4], pad_value=-1)
sch.transform_layout(block="compute", buffer="B", index_map=lambda i: [i // 4, i % 4], pad_value=-2)
# after
@T.prim_func
def double(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4, 4), "float32")):
    T.func_attr({"hexproof.padding.1": "lambda io, ii: io * 4 + ii >= 14"})
    B_cache = T.alloc_buffer((14,), "float32")
    for io, ii in T.grid(4, 4):
        T.assume(io * 4 + ii < 14 or A[io, ii] == T.float32(-1.0))
    for i in range(14):
        with T.block("compute"):
            B[i // 4, i % 4] = T.float32(2) * A[i // 4, i % 4]
    for io, ii in T.grid(4, 4):
        with T.block("B_padding"):
            vio, vii = T.axis.remap("SS", [io, ii])
            if vio * 4 + vii >= 14:
                B[vio, vii] = T.float32(-2.0)
