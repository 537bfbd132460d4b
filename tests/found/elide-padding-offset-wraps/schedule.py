sch = tir.Schedule(Module)
sch.elide_padding("root", "A", shape=[127], index_map=lambda i: [i // 100, i % 100])
