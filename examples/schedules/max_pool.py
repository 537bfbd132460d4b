# 3x3, stride 2, no padding.
from tvm.script import tir as T


@T.prim_func
def max_pool(data: T.Buffer((1, 29, 29, 32), "float32"), output: T.Buffer((1, 14, 14, 32), "float32")):
    for n, h, w, c, rh, rw in T.grid(1, 14, 14, 32, 3, 3):
        with T.block("max"):
            vn, vh, vw, vc, vrh, vrw = T.axis.remap("SSSSRR", [n, h, w, c, rh, rw])
            with T.init():
                output[vn, vh, vw, vc] = T.min_value("float32")
            output[vn, vh, vw, vc] = T.max(output[vn, vh, vw, vc], data[vn, vh * 2 + vrh, vw * 2 + vrw, vc])
