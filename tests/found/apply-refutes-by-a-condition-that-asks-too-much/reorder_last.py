@T.prim_func
def main(O: T.Buffer((7,), "int32")):
    for i in range(4):
        for j in range(4):
            O[i + j] = i
