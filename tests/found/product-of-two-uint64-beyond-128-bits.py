# hexproof fuzz case 1
# input-seed: 92757072
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((1, 3, 8), "int16")):
    T0 = T.alloc_buffer((4, 8), "uint64")
    for i0, i1 in T.grid(4, 8):
        T0[i0, i1] = T.Cast("uint64", A[0, i0, i1]) * T.Cast("uint64", A[0, 2, i0])
