# Two 1x1 convolutions of bytes, one after the other: data NHWC, filters OIHW, stride 1, no padding. Between them bias,
# ReLU, and requantisation to bytes: a sum is multiplied by a fixed-point factor of its channel (31 bits behind the point,
# rounded to the nearest), shifted right by 7 bits with rounding, put on the zero point 3, saturated, and clamped at it.
from tvm.script import tir as T


@T.prim_func
def conv2d_conv2d(
    data: T.Buffer((1, 64, 64, 128), "uint8"),
    filter1: T.Buffer((128, 128, 1, 1), "uint8"),
    bias: T.Buffer((128,), "int32"),
    multiplier: T.Buffer((128,), "int32"),
    filter2: T.Buffer((128, 128, 1, 1), "uint8"),
    output: T.Buffer((1, 64, 64, 128), "int32"),
):
    acc = T.alloc_buffer((1, 64, 64, 128), "int32")
    scaled = T.alloc_buffer((1, 64, 64, 128), "int32")
    shifted = T.alloc_buffer((1, 64, 64, 128), "int32")
    saturated = T.alloc_buffer((1, 64, 64, 128), "uint8")
    temp = T.alloc_buffer((1, 64, 64, 128), "uint8")
    for n, h, w, k, rc, rh, rw in T.grid(1, 64, 64, 128, 128, 1, 1):
        with T.block("conv1"):
            vn, vh, vw, vk, vc, vrh, vrw = T.axis.remap("SSSSRRR", [n, h, w, k, rc, rh, rw])
            with T.init():
                acc[vn, vh, vw, vk] = bias[vk]
            acc[vn, vh, vw, vk] = acc[vn, vh, vw, vk] + T.Cast("int32", data[vn, vh + vrh, vw + vrw, vc]) * T.Cast(
                "int32", filter1[vk, vc, vrh, vrw]
            )
    for n, h, w, k in T.grid(1, 64, 64, 128):
        with T.block("scale"):
            vn, vh, vw, vk = T.axis.remap("SSSS", [n, h, w, k])
            scaled[vn, vh, vw, vk] = T.Cast(
                "int32",
                T.min(
                    (T.Cast("int64", acc[vn, vh, vw, vk]) * T.Cast("int64", multiplier[vk]) + T.int64(1073741824))
                    >> T.int64(31),
                    T.int64(2147483647),
                ),
            )
    for n, h, w, k in T.grid(1, 64, 64, 128):
        with T.block("shift"):
            vn, vh, vw, vk = T.axis.remap("SSSS", [n, h, w, k])
            shifted[vn, vh, vw, vk] = ((scaled[vn, vh, vw, vk] + 64) >> 7) + 3
    for n, h, w, k in T.grid(1, 64, 64, 128):
        with T.block("saturate"):
            vn, vh, vw, vk = T.axis.remap("SSSS", [n, h, w, k])
            saturated[vn, vh, vw, vk] = T.Cast("uint8", T.max(T.min(shifted[vn, vh, vw, vk], 255), 0))
    for n, h, w, k in T.grid(1, 64, 64, 128):
        with T.block("relu"):
            vn, vh, vw, vk = T.axis.remap("SSSS", [n, h, w, k])
            temp[vn, vh, vw, vk] = T.max(saturated[vn, vh, vw, vk], T.uint8(3))
    for n, h, w, k, rc, rh, rw in T.grid(1, 64, 64, 128, 128, 1, 1):
        with T.block("conv2"):
            vn, vh, vw, vk, vc, vrh, vrw = T.axis.remap("SSSSRRR", [n, h, w, k, rc, rh, rw])
            with T.init():
                output[vn, vh, vw, vk] = 0
            output[vn, vh, vw, vk] = output[vn, vh, vw, vk] + T.Cast("int32", temp[vn, vh + vrh, vw + vrw, vc]) * T.Cast(
                "int32", filter2[vk, vc, vrh, vrw]
            )
