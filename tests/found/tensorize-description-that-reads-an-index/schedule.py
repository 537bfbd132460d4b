tir.TensorIntrin.register("mine", """
@T.prim_func
def d(A: T.Buffer((1,), "int32"), B: T.Buffer((8,), "int32"), C: T.Buffer((4,), "int32")):
    for i in range(4):
        C[i] = B[A[0]]
""", "")
sch.tensorize(sch.get_loop("i"), "mine")
