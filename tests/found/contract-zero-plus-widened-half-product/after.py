# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((2,), "float16"), B: T.Buffer((4,), "float32")):
    T.func_attr({"hexproof.fp": "contract nsz"})
    P = T.alloc_buffer((4,), "float32")
    for i in range(4):
        P[i] = T.Cast("float32", A[0] * A[1])
        B[i] = P[i]
    for i in range(4):
        B[i] = P[i] + T.float32(0.0)
