from tvm.script import tir as T
@T.prim_func
def main(A: T.Buffer((65536,), "int32"), B: T.Buffer((65537,), "int32")):
    for i in range(65536):
        V = T.decl_buffer((1,), "int32", data=A.data, elem_offset=i)
        B[i + T.if_then_else(T.bitwise_xor(V[0] * V[0] * 7919 + V[0], 12345) == 777, 1, 0)] = i
