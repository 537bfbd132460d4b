@T.prim_func
def main(n: T.uint64, O: T.Buffer((4,), "int32")):
    for i in range(4):
        if n < T.uint64(1000):
            for j in range(n):
                O[i] = 1
