sch.blockize([sch.get_block("a"), sch.get_block("b")])
