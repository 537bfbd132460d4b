# from tvm.script import tir as T
@T.prim_func
def main(A: T.Buffer((1,), "int32"), C: T.Buffer((1,), "int32"), O: T.Buffer((1,), "int32")):
    M = T.alloc_buffer((3,), "int32")
    V = T.decl_buffer((4,), "int32", data=M.data)
    for i in range(3):
        M[i] = i + 5
    if C[0] == 1234567:
        if A[0] >= 0:
            if A[0] < 4:
                O[0] = V[A[0]]
    else:
        O[0] = 0
