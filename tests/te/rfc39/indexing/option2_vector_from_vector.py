@T.prim_func
def vector_load_from_vector_buffer(A: T.Buffer[(16,), "float32x4"]):
    assert A[T.ramp(0, 1, 4)].dtype == "float32x4"
