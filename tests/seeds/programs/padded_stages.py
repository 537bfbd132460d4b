# A copy in, a computation, a copy out; then both caches in tiles of four, each with a stage that fills its padding.
@I.ir_module
class PaddedStages:
    @T.prim_func
    def plain(source: T.Buffer((14,), "float32"), target: T.Buffer((14,), "float32")):
        loaded = T.alloc_buffer((14,), "float32")
        doubled = T.alloc_buffer((14,), "float32")
        for i in range(14):
            with T.block("load"):
                v = T.axis.spatial(14, i)
                loaded[v] = source[v]
        for i in range(14):
            with T.block("double"):
                v = T.axis.spatial(14, i)
                doubled[v] = loaded[v] * 2
        for i in range(14):
            with T.block("store"):
                v = T.axis.spatial(14, i)
                target[v] = doubled[v]

    @T.prim_func
    def tiled(source: T.Buffer((14,), "float32"), target: T.Buffer((14,), "float32")):
        loaded = T.alloc_buffer((4, 4), "float32")
        doubled = T.alloc_buffer((4, 4), "float32")
        for i in range(14):
            with T.block("load"):
                v = T.axis.spatial(14, i)
                loaded[v // 4, v % 4] = source[v]
        for o, n in T.grid(4, 4):
            with T.block("load_padding"):
                vo, vn = T.axis.remap("SS", [o, n])
                T.where(o * 4 + n >= 14)
                loaded[vo, vn] = -1
        for i in range(14):
            with T.block("double"):
                v = T.axis.spatial(14, i)
                doubled[v // 4, v % 4] = loaded[v // 4, v % 4] * 2
        for o, n in T.grid(4, 4):
            with T.block("double_padding"):
                vo, vn = T.axis.remap("SS", [o, n])
                T.where(o * 4 + n >= 14)
                doubled[vo, vn] = -2
        for i in range(14):
            with T.block("store"):
                v = T.axis.spatial(14, i)
                target[v] = doubled[v // 4, v % 4]
