# hexproof fuzz case 1
# input-seed: 1719286276
# step: split {"at":[0,1,0,0],"factor":3,"outer":"u","inner":"v"}
# step: simplify {"at":[0,1,0,0,0,0],"applications":"min-right#0@0.1.0.0.0.0/3.0"}
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((1, 8, 6), "float32"), B: T.Buffer((6, 2, 5), "uint64"), O1: T.Buffer((3, 4, 3), "int64")):
    T0 = T.alloc_buffer((3,), "uint32")
    for i0 in range(3):
        T0[i0] = T.truncdiv(T.uint32(602130020), T.uint32(4))
    for i0, i1, i2 in T.grid(3, 4, 3):
        O1[i0, i1, i2] = T.min(T.truncdiv(T.Cast("int64", T0[i0]), T.int64(6)), T.int64(-9223372036854775808)) - T.int64(9223372036854775807)
