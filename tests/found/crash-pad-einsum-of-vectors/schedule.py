sch.pad_einsum("c", [16])
