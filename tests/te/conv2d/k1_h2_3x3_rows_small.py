import tvm
from pipeline import schedule_by_rows

s, args = schedule_by_rows(size=3, k_split=1, h_split=2, height=64, width=8, channels=32)
tvm.lower(s, args)
