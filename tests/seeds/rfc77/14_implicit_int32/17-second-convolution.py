# section: Implicitly write default value of next operator
# before
@T.prim_func
def conv1d(B: T.Buffer((18,), "int32"), F: T.Buffer((3,), "int32"), C: T.Buffer((20,), "int32")):
    for ci in range(20):
        C[ci] = 0
        for fi in range(3):
            bi: T.int32 = ci - fi
            if 0 <= bi and bi < 18:
                C[ci] = C[ci] + F[fi] * B[bi]
# schedule
layout = lambda i: [(i + 2) // 8, (i + 2) % 8]
sch.transform_layout("root", "B", layout, pad_value=0)
sch.transform_layout("root", "C", layout, pad_value=0)
sch.sequential_buffer_access("root", "B")
init = sch.get_child_loops("root")[1]
sch.sequential_buffer_access(init, "C")
assumes, init, conv, padding = sch.get_child_loops("root")
sch.merge_complementary_conditions(sch.merge_adjacent_loops(init, padding))
sch.separate_conditions(conv)
sch.hoist_expression(conv, conditionals="BooleanExpression", out_of=sch.get_child_loops(conv)[0])
sch.simplify_conditions(conv)
sch.hoist_expression(conv, conditionals="BooleanExpression")
first, last, between = sch.get_child_loops(conv)
sch.remove_branching_through_overcompute(first)
sch.remove_branching_through_overcompute(last)
sch.remove_branching_through_overcompute(conv)
# after
@T.prim_func
def conv1d(B: T.Buffer((3, 8), "int32"), F: T.Buffer((3,), "int32"), C: T.Buffer((3, 8), "int32")):
    T.func_attr({"hexproof.padding.2": "lambda io, ii: io * 8 + ii < 2 or io * 8 + ii >= 22"})
    for io, ii in T.grid(3, 8):
        T.assume(io * 8 + ii >= 2 and io * 8 + ii < 20 or B[io, ii] == 0)
    for cio, cii in T.grid(3, 8):
        C[cio, cii] = 0
    for cio, cii, fi in T.grid(3, 8, 3):
        C[(cio + (cii + fi) // 8) % 3, (cii + fi) % 8] = C[(cio + (cii + fi) // 8) % 3, (cii + fi) % 8] + F[fi] * B[cio, cii]
