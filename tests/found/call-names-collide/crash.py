@T.prim_func
def main(D: T.Buffer((1,), "float32")):
    if T.call_pure_extern("int32", "f int32", ) == T.call_pure_extern("int32", "f", T.int32(3)):
        D[0] = 1.0
    else:
        D[9] = 1.0
