i, k = sch.get_loops("d")
sch.tensorize(i, "dot_32x4_u8u8i32_vrmpy")
