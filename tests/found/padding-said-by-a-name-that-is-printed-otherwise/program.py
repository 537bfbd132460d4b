# from tvm.script import tir as T
@T.prim_func
def main(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32"), max: T.int32, max_: T.int32):
    T.func_attr({"hexproof.padding.0": "lambda i: i >= max_"})
    T.assume(max >= 0 and max_ >= 0 and max_ <= 16)
    for i in range(max_):
        C[i] = A[i] + max
