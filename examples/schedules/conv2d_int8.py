# A 3x3 convolution of bytes, and requantisation to bytes: a fixed-point factor for each channel, rounded to the nearest.
from tvm.script import tir as T


@T.prim_func
def conv2d(
    data: T.Buffer((1, 16, 16, 32), "uint8"),
    weight: T.Buffer((3, 3, 32, 32), "int8"),
    bias: T.Buffer((32,), "int32"),
    multiplier: T.Buffer((32,), "int32"),
    output: T.Buffer((1, 14, 14, 32), "uint8"),
):
    acc = T.alloc_buffer((1, 14, 14, 32), "int32")
    biased = T.alloc_buffer((1, 14, 14, 32), "int32")
    scaled = T.alloc_buffer((1, 14, 14, 32), "int32")
    for n, h, w, k, rh, rw, rc in T.grid(1, 14, 14, 32, 3, 3, 32):
        with T.block("conv"):
            vn, vh, vw, vk, vrh, vrw, vrc = T.axis.remap("SSSSRRR", [n, h, w, k, rh, rw, rc])
            with T.init():
                acc[vn, vh, vw, vk] = 0
            acc[vn, vh, vw, vk] += T.Cast("int32", data[vn, vh + vrh, vw + vrw, vrc]) * T.Cast("int32", weight[vrh, vrw, vrc, vk])
    for n, h, w, k in T.grid(1, 14, 14, 32):
        with T.block("bias"):
            vn, vh, vw, vk = T.axis.remap("SSSS", [n, h, w, k])
            biased[vn, vh, vw, vk] = acc[vn, vh, vw, vk] + bias[vk]
    for n, h, w, k in T.grid(1, 14, 14, 32):
        with T.block("scale"):
            vn, vh, vw, vk = T.axis.remap("SSSS", [n, h, w, k])
            scaled[vn, vh, vw, vk] = T.Cast(
                "int32",
                (T.Cast("int64", biased[vn, vh, vw, vk]) * T.Cast("int64", multiplier[vk]) + T.int64(1 << 37)) >> T.int64(38),
            )
    for n, h, w, k in T.grid(1, 14, 14, 32):
        with T.block("saturate"):
            vn, vh, vw, vk = T.axis.remap("SSSS", [n, h, w, k])
            output[vn, vh, vw, vk] = T.Cast("uint8", T.max(T.min(scaled[vn, vh, vw, vk] + 3, 255), 0))
