# section: New Primitive - Remove Overcompute Through Branching
# listing before: 1383
# repair before: A[io + (ii + f) // 4, => A[(io + (ii + f) // 4) % 4,
# listing after: 1408
# repair after: A[io + (ii + f) // 4, => A[(io + (ii + f) // 4) % 4,
# document before: equal
# document after: equal
# errata: it reads A[4, 0] and A[4, 1] of a (4, 4) buffer; a remainder in the index repairs it
# schedule
sch.hoist_expression("compute", conditionals="IfElseStmt", bindings=[])
sch.merge_complementary_conditions("compute")
# after
@T.prim_func
def window_sums(A: T.Buffer((4, 4), "float32"), F: T.Buffer((3,), "float32"), B: T.Buffer((4, 4), "float32")):
    with T.block("compute"):
        for io, ii in T.grid(4, 4):
            if io == 3 and ii >= 2:
                B[io, ii] = T.float32(0.0)
                for f in range(3):
                    B[io, ii] = T.float32(0.0)
            else:
                B[io, ii] = T.float32(0.0)
                for f in range(3):
                    B[io, ii] = B[io, ii] + A[(io + (ii + f) // 4) % 4, (ii + f) % 4]
    with T.block("B_pad_value"):
        for io, ii in T.grid(4, 4):
            if io == 3 and ii >= 2:
                B[io, ii] = T.float32(0.0)
