# The maximum of maxpool.py on floats, 56 x 56 pixels with 64 channels.
#
# T.max(a, b) is b where a > b is false: T.max(B, -inf) turns a NaN in B into -inf, and T.max(-inf, B) leaves every B as it is.
# So the padding is neutral with the image on the left; the other way round the schedule is refused, unless `--fp nnan` says
# that there are no NaNs.
from tvm.script import tir as T


@T.prim_func
def maxpool(
    A: T.Buffer((56, 56, 64), "float32"),
    B: T.Buffer((28, 28, 64), "float32"),
):
    for h, w, c, kh, kw in T.grid(28, 28, 64, 3, 3):
        with T.block("maxpool"):
            vh, vw, vc, vkh, vkw = T.axis.remap("SSSRR", [h, w, c, kh, kw])
            with T.init():
                B[vh, vw, vc] = T.float32("-inf")
            if 0 <= vh * 2 + vkh - 1 and vh * 2 + vkh - 1 < 56 and 0 <= vw * 2 + vkw - 1 and vw * 2 + vkw - 1 < 56:
                B[vh, vw, vc] = T.max(A[vh * 2 + vkh - 1, vw * 2 + vkw - 1, vc], B[vh, vw, vc])
