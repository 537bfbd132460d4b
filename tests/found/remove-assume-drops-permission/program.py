from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "int32")):
    t = T.alloc_buffer((16,), "int32")
    T.assume(t[0] == T.undef())
    A[0] = t[0]
