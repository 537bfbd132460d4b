# Two 1x1 convolutions after each other, row by row of tiles: a slice of the input is loaded into a cache, the first
# convolution makes cache 1 of it, and the second one writes its results over the input's cache, from where they go out.
@T.prim_func
def conv2d_conv2d(
    data: T.Buffer((8, 4, 8), "float32"),
    filter1: T.Buffer((8, 8), "float32"),
    filter2: T.Buffer((8, 8), "float32"),
    output: T.Buffer((8, 4, 8), "float32"),
):
    for ho in range(8):
        cache0 = T.alloc_buffer((4, 8), "float32")
        cache1 = T.alloc_buffer((4, 8), "float32")
        for w, c in T.grid(4, 8):
            cache0[w, c] = data[ho, w, c]
        for w, k in T.grid(4, 8):
            cache1[w, k] = T.float32(0)
            for c in range(8):
                cache1[w, k] = cache1[w, k] + cache0[w, c] * filter1[k, c]
        for w, k in T.grid(4, 8):
            cache0[w, k] = T.float32(0)
            for c in range(8):
                cache0[w, k] = cache0[w, k] + cache1[w, c] * filter2[k, c]
        for w, k in T.grid(4, 8):
            output[ho, w, k] = cache0[w, k]
