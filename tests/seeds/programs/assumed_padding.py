# What is known of a padded input, and what a padded output is given.
@T.prim_func
def double(source: T.Buffer((4, 4), "float32"), target: T.Buffer((4, 4), "float32")):
    for o, n in T.grid(4, 4):
        T.assume(o * 4 + n < 14 or source[o, n] == -1)
    for i in range(14):
        with T.block("double"):
            v = T.axis.spatial(14, i)
            target[v // 4, v % 4] = source[v // 4, v % 4] * 2
    for o, n in T.grid(4, 4):
        with T.block("padding"):
            vo, vn = T.axis.remap("SS", [o, n])
            if vo * 4 + vn >= 14:
                target[vo, vn] = -2
