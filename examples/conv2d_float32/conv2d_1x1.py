# A 1x1 convolution: data NHWC, weights OIHW, stride 1, no padding.
from tvm.script import tir as T

@T.prim_func
def conv2d(
    data: T.Buffer((1, 64, 64, 128), "float32"),
    weight: T.Buffer((128, 128, 1, 1), "float32"),
    output: T.Buffer((1, 64, 64, 128), "float32"),
):
    for n, h, w, k, rc, rh, rw in T.grid(1, 64, 64, 128, 128, 1, 1):
        with T.block("conv"):
            vn, vh, vw, vk, vc, vrh, vrw = T.axis.remap("SSSSRRR", [n, h, w, k, rc, rh, rw])
            with T.init():
                output[vn, vh, vw, vk] = T.float32(0)
            output[vn, vh, vw, vk] = output[vn, vh, vw, vk] + data[vn, vh + vrh, vw + vrw, vc] * weight[vk, vc, vrh, vrw]
