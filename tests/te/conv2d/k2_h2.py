import tvm
from pipeline import schedule

s, args = schedule(size=1, k_split=2, h_split=2)
tvm.lower(s, args)
