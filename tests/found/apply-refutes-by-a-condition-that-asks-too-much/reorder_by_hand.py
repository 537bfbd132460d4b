@T.prim_func
def main(O: T.Buffer((4,), "int32")):
    for j in range(4):
        for i in range(4):
            O[0] = 5
