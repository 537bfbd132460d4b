# section: Future possibilities
# before
@T.prim_func
def gather(A: T.Buffer((14,), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = 0
    for i in range(14):
        B[0] = B[0] * 3 + A[i]
# schedule
tiles = lambda i: [i // 4, i % 4]
sch.transform_layout("root", "A", tiles, pad_value=sch.suggest_pad_value("root", "A", tiles)[0])
sch.sequential_buffer_access("root", "A")
# after
@T.prim_func
def gather(A: T.Buffer((4, 4), "int32"), B: T.Buffer((1,), "int32")):
    T.func_attr({"hexproof.padding.0": "lambda io, ii: io * 4 + ii >= 14"})
    B[0] = 0
    for io, ii in T.grid(4, 4):
        if io * 4 + ii < 14:
            B[0] = B[0] * 3 + A[io, ii]
