sch.transform_layout("a", "A", lambda i: [i * 3 % 8], assume_injective_transform=True)
