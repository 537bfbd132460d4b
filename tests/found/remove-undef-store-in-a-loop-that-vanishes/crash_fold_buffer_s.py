sch.rolling_buffer("p", 0)
