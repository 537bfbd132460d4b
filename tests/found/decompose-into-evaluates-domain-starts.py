# hexproof fuzz case 1
# input-seed: 1
# step: decompose-reduction {"at": [0,0,0,0], "loop": [0,0,0], "into": 1}
# A block without init evaluates no start of its domains. With `into` the block around gets an init, and evaluates those of its reduction variables: 8 // n, at n = 0.
# rewrite/rules/blocks/decompose_reduction.cpp, block_of: asks that they are no data, and nobody owes that they are no error. No primitive gets there now (blockize makes domains from 0); the rule is wrong.
@T.prim_func
def f(A: T.Buffer((8, 4), "int32"), C: T.Buffer((8,), "int32"), n: T.int32):
    for i, ko in T.grid(8, 1):
        with T.block("o"):
            vi = T.axis.spatial(8, i)
            vo = T.axis.reduce((T.max(T.min(8 // n, 0), 0), 1), ko)
            for k in range(4):
                with T.block("b"):
                    vi2 = T.axis.spatial(8, vi)
                    vk = T.axis.reduce(4, k + vo * 4)
                    with T.init():
                        C[vi2] = 0
                    C[vi2] = C[vi2] + A[vi2, vk]
