from tvm.script import tir as T
@T.prim_func
def main(A: T.Buffer((2,), "int32"), B: T.Buffer((4,), "int32")):
    C = T.alloc_buffer((1,), "int32")
    for i in range(2):
        V = T.decl_buffer((1,), "int32", data=A.data, elem_offset=i)
        if i == 0:
            if V[0] == 1:
                C[0] = 5
        if i == 1:
            if V[0] == 1:
                B[0] = C[0]
