import tvm
from pipeline import schedule_by_rows

s, args = schedule_by_rows(size=3, k_split=2, h_split=2)
tvm.lower(s, args)
