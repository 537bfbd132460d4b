from tvm.script import tir as T


@T.prim_func
def gelu(A: T.Buffer((32, 64), "float32"), bias: T.Buffer((64,), "float32"), B: T.Buffer((32, 64), "float32")):
    biased = T.alloc_buffer((32, 64), "float32")
    cube = T.alloc_buffer((32, 64), "float32")
    inner = T.alloc_buffer((32, 64), "float32")
    for i, j in T.grid(32, 64):
        with T.block("biased"):
            vi, vj = T.axis.remap("SS", [i, j])
            biased[vi, vj] = A[vi, vj] + bias[vj]
    for i, j in T.grid(32, 64):
        with T.block("cube"):
            vi, vj = T.axis.remap("SS", [i, j])
            cube[vi, vj] = biased[vi, vj] * biased[vi, vj] * biased[vi, vj]
    for i, j in T.grid(32, 64):
        with T.block("inner"):
            vi, vj = T.axis.remap("SS", [i, j])
            inner[vi, vj] = T.tanh((biased[vi, vj] + cube[vi, vj] * T.float32(0.044715)) * T.float32(0.7978846))
    for i, j in T.grid(32, 64):
        with T.block("gelu"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = biased[vi, vj] * T.float32(0.5) * (inner[vi, vj] + T.float32(1))
