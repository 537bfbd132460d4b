sch.tensorize(sch.get_loop("i"), "dot_32x4_u8u8i32_vrmpy")
