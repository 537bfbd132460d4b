sch.pad_einsum("s", [1, 4])
