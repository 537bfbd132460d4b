# hexproof fuzz case 1
# The pad value of a second layout reads padding of the first one, which holds some value and no certain one.
# input-seed: 0
# step: transform-layout {"buffer":"A","map":"lambda i0: [i0 * 2]","pad_value":"undef"}
# step: transform-layout {"buffer":"A","map":"lambda i0: [i0 * 2]","pad_value":"lambda p0: [T.call_pure_extern(\"int32\", \"transformed\", 2)]"}
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((2,), "int32"), O0: T.Buffer((2,), "int32")):
    for i0 in range(2):
        O0[i0] = A[i0]
