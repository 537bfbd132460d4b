# hexproof fuzz case 1
# input-seed: 2128140867
# step: insert-store {"at":[0,1,0,0],"like":[0,1,0,1],"value":2}
# step: overcompute {"at":[0,1,0,0],"takes":1,"stores":"same; by 0.2.0"}
# from tvm.script import tir as T

@T.prim_func
def main():
    t1 = T.alloc_buffer((128,), "int32")
    t1[0] = 1
    for i0 in range(T.int8(100), T.int8(100) + T.int8(28)):
        if T.bool(True):
            t1[0] = 0
        t1[i0] = 0
