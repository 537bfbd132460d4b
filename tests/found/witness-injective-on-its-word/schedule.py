sch.transform_layout("a", "A", lambda i: [i // 2], assume_injective_transform=True)
