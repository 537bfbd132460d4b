# A depthwise 3x3 convolution of bytes: each channel with a filter of its own. Data NHWC, stride 1, no padding.
from tvm.script import tir as T


@T.prim_func
def depthwise(
    data: T.Buffer((1, 18, 30, 128), "uint8"),
    weight: T.Buffer((3, 3, 128), "uint8"),
    output: T.Buffer((1, 16, 28, 128), "int32"),
):
    for n, h, w, c, rh, rw in T.grid(1, 16, 28, 128, 3, 3):
        with T.block("conv"):
            vn, vh, vw, vc, vrh, vrw = T.axis.remap("SSSSRR", [n, h, w, c, rh, rw])
            with T.init():
                output[vn, vh, vw, vc] = 0
            output[vn, vh, vw, vc] = output[vn, vh, vw, vc] + T.Cast("int32", data[vn, vh + vrh, vw + vrw, vc]) * T.Cast(
                "int32", weight[vrh, vrw, vc]
            )
