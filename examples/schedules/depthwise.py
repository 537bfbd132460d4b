# A depthwise 3x3 convolution with a bias and ReLU6.
from tvm.script import tir as T


@T.prim_func
def depthwise(
    data: T.Buffer((1, 30, 30, 64), "float32"),
    weight: T.Buffer((3, 3, 64), "float32"),
    bias: T.Buffer((64,), "float32"),
    output: T.Buffer((1, 28, 28, 64), "float32"),
):
    conv = T.alloc_buffer((1, 28, 28, 64), "float32")
    biased = T.alloc_buffer((1, 28, 28, 64), "float32")
    for n, h, w, c, rh, rw in T.grid(1, 28, 28, 64, 3, 3):
        with T.block("depthwise"):
            vn, vh, vw, vc, vrh, vrw = T.axis.remap("SSSSRR", [n, h, w, c, rh, rw])
            with T.init():
                conv[vn, vh, vw, vc] = T.float32(0)
            conv[vn, vh, vw, vc] = conv[vn, vh, vw, vc] + data[vn, vh + vrh, vw + vrw, vc] * weight[vrh, vrw, vc]
    for n, h, w, c in T.grid(1, 28, 28, 64):
        with T.block("bias"):
            vn, vh, vw, vc = T.axis.remap("SSSS", [n, h, w, c])
            biased[vn, vh, vw, vc] = conv[vn, vh, vw, vc] + bias[vc]
    for n, h, w, c in T.grid(1, 28, 28, 64):
        with T.block("relu6"):
            vn, vh, vw, vc = T.axis.remap("SSSS", [n, h, w, c])
            output[vn, vh, vw, vc] = T.min(T.max(biased[vn, vh, vw, vc], T.float32(0)), T.float32(6))
