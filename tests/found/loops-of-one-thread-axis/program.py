from tvm.script import tir as T
@T.prim_func
def main(B: T.Buffer((16,), "int32")):
    for i in T.thread_binding(4, thread="threadIdx.x"):
        for j in T.thread_binding(4, thread="threadIdx.x"):
            B[i * 4 + j] = 1
