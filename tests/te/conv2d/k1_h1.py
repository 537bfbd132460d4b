import tvm
from pipeline import schedule

s, args = schedule(size=1, k_split=1, h_split=1)
tvm.lower(s, args)
