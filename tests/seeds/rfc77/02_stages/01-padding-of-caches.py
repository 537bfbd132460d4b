# section: Enhancement - transform_layout
# listing before: 374
# listing after: 397
# document after: no program
# repair after: A_cache = T.alloc_buffer(14, => A_cache = T.alloc_buffer((4, 4),
# repair after: B_cache = T.alloc_buffer(14, => B_cache = T.alloc_buffer((4, 4),
# errata: the caches are allocated with one dimension and used with two
# before
@T.prim_func
def double(A: T.Buffer((14,), "float32"), B: T.Buffer((14,), "float32")):
    A_cache = T.alloc_buffer((14,), "float32")
    for i in range(14):
        with T.block("A_cache"):
            A_cache[i] = A[i]
    B_cache = T.alloc_buffer((14,), "float32")
    for i in range(14):
        with T.block("compute"):
            B_cache[i] = T.float32(2) * A_cache[i]
    for i in range(14):
        with T.block("B_cache"):
            B[i] = B_cache[i]
# schedule
sch.transform_layout(block="compute", buffer="A_cache", index_map=lambda i: [i // 4, i % 4], pad_value=-1)
sch.transform_layout(block="compute", buffer="B_cache", index_map=lambda i: [i // 4, i % 4], pad_value=-2)
# after
@T.prim_func
def double(A: T.Buffer((14,), "float32"), B: T.Buffer((14,), "float32")):
    A_cache = T.alloc_buffer((4, 4), "float32")
    for i in range(14):
        with T.block("A_cache"):
            A_cache[i // 4, i % 4] = A[i]
    for io, ii in T.grid(4, 4):
        with T.block("A_cache_padding"):
            vio, vii = T.axis.remap("SS", [io, ii])
            if vio * 4 + vii >= 14:
                A_cache[vio, vii] = T.float32(-1.0)
    B_cache = T.alloc_buffer((4, 4), "float32")
    for i in range(14):
        with T.block("compute"):
            B_cache[i // 4, i % 4] = T.float32(2) * A_cache[i // 4, i % 4]
    for io, ii in T.grid(4, 4):
        with T.block("B_cache_padding"):
            vio, vii = T.axis.remap("SS", [io, ii])
            if vio * 4 + vii >= 14:
                B_cache[vio, vii] = T.float32(-2.0)
    for i in range(14):
        with T.block("B_cache"):
            B[i] = B_cache[i // 4, i % 4]
