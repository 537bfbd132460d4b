from tvm.script import tir as T


@T.prim_func
def softmax(A: T.Buffer((64, 128), "float32"), B: T.Buffer((64, 128), "float32")):
    largest = T.alloc_buffer((64,), "float32")
    exponential = T.alloc_buffer((64, 128), "float32")
    total = T.alloc_buffer((64,), "float32")
    for i, k in T.grid(64, 128):
        with T.block("largest"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                largest[vi] = T.min_value("float32")
            largest[vi] = T.max(largest[vi], A[vi, vk])
    for i, j in T.grid(64, 128):
        with T.block("exponential"):
            vi, vj = T.axis.remap("SS", [i, j])
            exponential[vi, vj] = T.exp(A[vi, vj] - largest[vi])
    for i, k in T.grid(64, 128):
        with T.block("total"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                total[vi] = T.float32(0)
            total[vi] = total[vi] + exponential[vi, vk]
    for i, j in T.grid(64, 128):
        with T.block("softmax"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = exponential[vi, vj] / total[vi]
