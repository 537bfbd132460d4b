@T.prim_func
def main(A: T.Buffer((200,), "int32")):
    for i in range(T.uint8(200)):
        A[i] = 1
