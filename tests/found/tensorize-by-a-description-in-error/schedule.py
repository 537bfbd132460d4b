import tvm
from tvm import tir
D = '''
def d(acc: T.Buffer((1,), "int32"), a: T.Buffer((2,), "int8"), b: T.Buffer((4,), "int8")):
    for q in range(4):
        acc[0] = acc[0] + T.Cast("int32", a[q]) * T.Cast("int32", b[q])
'''
tir.TensorIntrin.register("d_oob", D, D, override=True)
sch.tensorize(sch.get_loops("C")[2], "d_oob")
