@T.prim_func
def main(C: T.Buffer((14,), "int32")):
    A_backing = T.alloc_buffer((14,), "int32")
    A = T.decl_buffer((4, 4), "int32", data=A_backing.data)
    for io, ii in T.grid(4, 4):
        with T.block("s"):
            vio, vii = T.axis.remap("SS", [io, ii])
            T.where(io * 4 + ii < 14)
            A[vio, vii] = vio
    for i in range(14):
        with T.block("c"):
            vi = T.axis.spatial(14, i)
            C[vi] = A[vi // 4, vi % 4]
