@T.prim_func
def f(A: T.Buffer((1,), "int32"), n: T.int32, m: T.int32, k: T.int32):
    T.assume(k == 1)
    T.assume(n > -1000 and n < 1000 and m > -1000 and m < 1000)
    A[0] = 5
    for j in range(2):
        if n - 3 * m - 77 != 0:
            A[0] = 7
    for i in range(k):
        if n - 3 * m - 77 != 0:
            if m // (n - 3 * m - 77) > 3:
                A[0] = A[0] + 1
