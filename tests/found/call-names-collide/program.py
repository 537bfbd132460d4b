@T.prim_func
def main(D: T.Buffer((4,), "int32"), n: T.int32, m: T.int32):
    if m > 0 and m < 10000:
        if m * m == 1522756:
            if T.call_pure_extern("int32", "f", n) > T.call_pure_extern("int32", "f int32"):
                D[9] = 1
