@T.prim_func
def f(A: T.Buffer((1,), "int32"), n: T.int32, k: T.int32):
    T.assume(k == 1)
    A[0] = 5
    for j in range(2):
        if n < 300:
            A[0] = 7
    for i in range(k):
        if n < 200 and n > -200:
            if n * 10000000 > 3:
                A[0] = A[0] + 1
