# section: Future possibilities
# before
@T.prim_func
def copy(A: T.Buffer((60,), "float32"), B: T.Buffer((60,), "float32")):
    for i, j, k in T.grid(3, 4, 5):
        A[i * 4 * 5 + j * 5 + k] = B[i * 4 * 5 + j * 5 + k]
# schedule
sch.hoist_index_expressions("root")
# after
@T.prim_func
def copy(A: T.Buffer((60,), "float32"), B: T.Buffer((60,), "float32")):
    for i in range(3):
        i_term: T.int32 = i * 4 * 5
        for j in range(4):
            ij_term: T.int32 = i_term + j * 5
            for k in range(5):
                A[ij_term + k] = B[ij_term + k]
