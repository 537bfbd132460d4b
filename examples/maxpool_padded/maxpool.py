# The greatest of 3 x 3 neighbours, at every second row and column, of 56 x 56 pixels with 192 channels of int8. What lies
# outside of the image does not count.
from tvm.script import tir as T


@T.prim_func
def maxpool(
    A: T.Buffer((56, 56, 192), "int8"),
    B: T.Buffer((28, 28, 192), "int8"),
):
    for h, w, c, kh, kw in T.grid(28, 28, 192, 3, 3):
        with T.block("maxpool"):
            vh, vw, vc, vkh, vkw = T.axis.remap("SSSRR", [h, w, c, kh, kw])
            with T.init():
                B[vh, vw, vc] = T.int8(-128)
            if 0 <= vh * 2 + vkh - 1 and vh * 2 + vkh - 1 < 56 and 0 <= vw * 2 + vkw - 1 and vw * 2 + vkw - 1 < 56:
                B[vh, vw, vc] = T.max(B[vh, vw, vc], A[vh * 2 + vkh - 1, vw * 2 + vkw - 1, vc])
