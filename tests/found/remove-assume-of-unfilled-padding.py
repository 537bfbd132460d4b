# hexproof fuzz case 1
# input-seed: 1980023808
# step: remove-assume {}
# from tvm.script import tir as T

@T.prim_func
def main(S0: T.Buffer((8,), "int32", elem_offset=1), A4: T.Buffer((16,), "int32"), A5: T.Buffer((16,), "int32")):
    T.func_attr({"hexproof.padding.1": "lambda i: i % 4 == 3"})
    for i7 in range(16):
        with T.block("p8"):
            v9 = T.axis.spatial(16, i7)
            T.assume(A4[v9] == T.undef())
    for i11 in range(16):
        A5[i11] = A4[i11]
