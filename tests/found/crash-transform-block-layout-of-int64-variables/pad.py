sch.pad_einsum("b", [7, 4])
