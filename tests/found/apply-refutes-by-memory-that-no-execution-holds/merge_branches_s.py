sch.merge_complementary_conditions("root")
