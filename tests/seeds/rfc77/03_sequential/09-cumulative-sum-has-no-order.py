# section: New Utility - Reorder Loops According to Buffer
# listing before: 724
# document before: equal
# listing after: 748
# expect: refused: touches no cell
# schedule
sch.sequential_buffer_access(block="compute", buffer="A")
# after
@T.prim_func
def cumulative(A: T.Buffer((4, 4), "int32"), F: T.Buffer((3,), "int32"), B: T.Buffer((4, 4), "int32")):
    with T.block("init_compute"):
        for i in range(14):
            if i == 0:
                B[i // 4, i % 4] = 0
            else:
                B[i // 4, i % 4] = B[(i - 1) // 4, (i - 1) % 4]
    with T.block("compute"):
        for i in range(14):
            for f in range(3):
                B[i // 4, i % 4] = B[i // 4, i % 4] + F[f] * A[(i + f) // 4, (i + f) % 4]
