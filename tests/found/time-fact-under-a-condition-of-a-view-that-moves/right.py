from tvm.script import tir as T
@T.prim_func
def main(A: T.Buffer((1,), "int32"), D: T.Buffer((2,), "int32"), C: T.Buffer((1,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(2):
        for k in range(1):
            if i == 0:
                if D[0] == 1:
                    C[0] = 0
            if i == 1:
                if D[0] == 1:
                    B[C[0]] = 3
        A[0] = 1
