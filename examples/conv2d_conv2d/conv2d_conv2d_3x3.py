# Two 3x3 convolutions, one after the other: data NHWC, filters OIHW, stride 1, no padding.
from tvm.script import tir as T


@T.prim_func
def conv2d_conv2d(
    data: T.Buffer((1, 68, 68, 128), "float32"),
    filter1: T.Buffer((128, 128, 3, 3), "float32"),
    filter2: T.Buffer((128, 128, 3, 3), "float32"),
    output: T.Buffer((1, 64, 64, 128), "float32"),
):
    temp = T.alloc_buffer((1, 66, 66, 128), "float32")
    for n, h, w, k, rc, rh, rw in T.grid(1, 66, 66, 128, 128, 3, 3):
        with T.block("conv1"):
            vn, vh, vw, vk, vc, vrh, vrw = T.axis.remap("SSSSRRR", [n, h, w, k, rc, rh, rw])
            with T.init():
                temp[vn, vh, vw, vk] = T.float32(0)
            temp[vn, vh, vw, vk] = (
                temp[vn, vh, vw, vk] + data[vn, vh + vrh, vw + vrw, vc] * filter1[vk, vc, vrh, vrw]
            )
    for n, h, w, k, rc, rh, rw in T.grid(1, 64, 64, 128, 128, 3, 3):
        with T.block("conv2"):
            vn, vh, vw, vk, vc, vrh, vrw = T.axis.remap("SSSSRRR", [n, h, w, k, rc, rh, rw])
            with T.init():
                output[vn, vh, vw, vk] = T.float32(0)
            output[vn, vh, vw, vk] = (
                output[vn, vh, vw, vk] + temp[vn, vh + vrh, vw + vrw, vc] * filter2[vk, vc, vrh, vrw]
            )
