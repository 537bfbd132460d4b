import tvm
from pipeline import schedule

s, args = schedule(size=3, k_split=2, h_split=2)
tvm.lower(s, args)
