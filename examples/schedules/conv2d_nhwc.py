# A 3x3 convolution, NHWC, stride 2, one row and column of zeros around.
from tvm.script import tir as T


@T.prim_func
def conv2d(
    data: T.Buffer((1, 28, 28, 32), "float32"),
    weight: T.Buffer((3, 3, 32, 64), "float32"),
    output: T.Buffer((1, 14, 14, 64), "float32"),
):
    pad = T.alloc_buffer((1, 30, 30, 32), "float32")
    for n, h, w, c in T.grid(1, 30, 30, 32):
        with T.block("pad"):
            vn, vh, vw, vc = T.axis.remap("SSSS", [n, h, w, c])
            pad[vn, vh, vw, vc] = T.if_then_else(
                1 <= vh and vh < 29 and 1 <= vw and vw < 29, data[vn, vh - 1, vw - 1, vc], T.float32(0)
            )
    for n, h, w, k, rh, rw, rc in T.grid(1, 14, 14, 64, 3, 3, 32):
        with T.block("conv"):
            vn, vh, vw, vk, vrh, vrw, vrc = T.axis.remap("SSSSRRR", [n, h, w, k, rh, rw, rc])
            with T.init():
                output[vn, vh, vw, vk] = T.float32(0)
            output[vn, vh, vw, vk] += pad[vn, vh * 2 + vrh, vw * 2 + vrw, vrc] * weight[vrh, vrw, vrc, vk]
