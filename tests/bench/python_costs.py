"""Run by bench_python. Bars: import 100 ms, a primitive 50 us over C++, the start of apply 80 ms, the schedules 20 s."""
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time
import timeit

build, source = map(pathlib.Path, sys.argv[1:3])


def seconds(words, **options):
    """The least wall time of several runs, and the processor's."""
    best = [1e9, 1e9]
    for _ in range(7):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, **options)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = [min(best[0], time.perf_counter() - start), min(best[1], after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)]
    return best


def line(name, wall, processor, bar, unit):
    print(f"{name:44} {wall:9.1f} {unit} by the clock, {processor:9.1f} of the processor   bar {bar} {unit}", flush=True)


plain, package = seconds([sys.executable, "-c", "pass"]), seconds([sys.executable, "-c", "import hexproof"])
line("python_import", *(1000 * (p - q) for p, q in zip(package, plain)), 100, "ms")

COPY = "def main(A: T.Buffer((8,), 'int32'), B: T.Buffer((8,), 'int32')):\n    for i in range(8):\n        B[i] = A[i]\n"
with tempfile.TemporaryDirectory() as folder:
    program, schedule = os.path.join(folder, "p.py"), os.path.join(folder, "s.py")
    pathlib.Path(program).write_text(COPY)
    pathlib.Path(schedule).write_text("sch = tir.Schedule(Module)\n")
    line("python_apply_start", *(1000 * s for s in seconds([str(build / "hexproof"), "apply", program, schedule, "--quiet"])), 80, "ms")

import hexproof as hp

sch = hp.Schedule(COPY)
# What looks nothing up and proves nothing is all Python's side: arguments, their places, the result.
once = min(timeit.repeat(lambda: sch.enter_postproc(), number=2000, repeat=7)) / 2000
line("python_primitive", 1e6 * once, 1e6 * once, 50, "us")

sys.path.insert(0, str(source / "tests" / "python"))
import schedules_test
import unittest

start, cpu = time.perf_counter(), time.process_time()
done = unittest.TextTestRunner(stream=open(os.devnull, "w")).run(unittest.defaultTestLoader.loadTestsFromModule(schedules_test))
line(f"python_{done.testsRun}_schedules, {len(done.failures) + len(done.errors)} failed", time.perf_counter() - start, time.process_time() - cpu, 20, "s")
sys.exit(not done.wasSuccessful())
