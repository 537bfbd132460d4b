# 3x3, stride 2, a row and a column of zeros in front and behind, which count.
from tvm.script import tir as T


@T.prim_func
def average_pool(data: T.Buffer((1, 28, 28, 32), "float32"), output: T.Buffer((1, 14, 14, 32), "float32")):
    pad = T.alloc_buffer((1, 30, 30, 32), "float32")
    total = T.alloc_buffer((1, 14, 14, 32), "float32")
    for n, h, w, c in T.grid(1, 30, 30, 32):
        with T.block("pad"):
            vn, vh, vw, vc = T.axis.remap("SSSS", [n, h, w, c])
            pad[vn, vh, vw, vc] = T.if_then_else(
                1 <= vh and vh < 29 and 1 <= vw and vw < 29, data[vn, vh - 1, vw - 1, vc], T.float32(0)
            )
    for n, h, w, c, rh, rw in T.grid(1, 14, 14, 32, 3, 3):
        with T.block("sum"):
            vn, vh, vw, vc, vrh, vrw = T.axis.remap("SSSSRR", [n, h, w, c, rh, rw])
            with T.init():
                total[vn, vh, vw, vc] = T.float32(0)
            total[vn, vh, vw, vc] = total[vn, vh, vw, vc] + pad[vn, vh * 2 + vrh, vw * 2 + vrw, vc]
    for n, h, w, c in T.grid(1, 14, 14, 32):
        with T.block("average"):
            vn, vh, vw, vc = T.axis.remap("SSSS", [n, h, w, c])
            output[vn, vh, vw, vc] = total[vn, vh, vw, vc] / T.float32(9)
