# section: Future possibilities
# before
@T.prim_func
def gather(A: T.Buffer((14,), "int8"), B: T.Buffer((1,), "int8")):
    B[0] = T.int8(127)
    for i in range(14):
        B[0] = T.min(B[0], A[i])
# schedule
tiles = lambda i: [i // 4, i % 4]
values = sch.suggest_pad_value("root", "A", tiles)
sch.transform_layout("root", "A", tiles, pad_value=values[0])
sch.sequential_buffer_access("root", "A")
sch.remove_branching_through_overcompute("root")
# after
@T.prim_func
def gather(A: T.Buffer((4, 4), "int8"), B: T.Buffer((1,), "int8")):
    for io, ii in T.grid(4, 4):
        T.assume(io * 4 + ii < 14 or A[io, ii] == T.int8(127))
    B[0] = T.int8(127)
    for io, ii in T.grid(4, 4):
        B[0] = T.min(B[0], A[io, ii])
