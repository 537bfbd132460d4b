# A 3x3 convolution of quantised numbers: data NHWC with the zero point 7, signed weights OIHW with the zero point -3,
# stride 1, no padding.
from tvm.script import tir as T


@T.prim_func
def conv2d(
    data: T.Buffer((1, 66, 66, 128), "uint8"),
    weight: T.Buffer((128, 128, 3, 3), "int8"),
    output: T.Buffer((1, 64, 64, 128), "int32"),
):
    for n, h, w, k, rc, rh, rw in T.grid(1, 64, 64, 128, 128, 3, 3):
        with T.block("conv"):
            vn, vh, vw, vk, vc, vrh, vrw = T.axis.remap("SSSSRRR", [n, h, w, k, rc, rh, rw])
            with T.init():
                output[vn, vh, vw, vk] = 0
            output[vn, vh, vw, vk] = output[vn, vh, vw, vk] + (
                T.Cast("int32", data[vn, vh + vrh, vw + vrw, vc]) - 7
            ) * (T.Cast("int32", weight[vk, vc, vrh, vrw]) + 3)
