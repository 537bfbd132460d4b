from tvm.script import tir as T

@T.prim_func
def main(C: T.Buffer((5, 2, 64), "int32")):
    for b in T.thread_binding(2, thread="blockIdx.x"):
        for k in range(4):
            for t in range(64):
                C[k + 1, b, t] = C[k, b, (t + 1) % 64]
