"""The stubs that are made from the table of primitives: mypy reads them, and sees what does not fit."""
import os
import pathlib
import subprocess
import tempfile
import unittest

from hexproof import stubs

MYPY = "/usr/bin/mypy"
USE = """import hexproof as hp
sch = hp.Schedule("text")
b = sch.get_block("C")
i, j = sch.get_loops(b)
jo, ji = sch.split(j, factors=[None, 8])
sch.reorder(jo, i)
sch.vectorize(ji)
sch.transform_layout(b, ("read", 0), lambda n, m: [m, n], pad_value=0)
print(sch.mod.script(), hp.check(sch.mod).verdict, sch.certify(target="host").summary)
"""
WRONG = {"sch.split(j, factor=[8])": "factor", "sch.vectorize(b)": "LoopRV", "sch.no_such()": "no_such", "sch.split(j)": "factors"}


class Stubs(unittest.TestCase):
    def mypy(self, folder, text):
        path = pathlib.Path(folder, "use.py")
        path.write_text(text)
        return subprocess.run([MYPY, "--no-incremental", "--cache-dir=/dev/null", str(path)], capture_output=True, text=True,
                              env={"PATH": "/usr/bin:/bin", "MYPYPATH": folder, "HOME": folder}, cwd=folder)

    def test_mypy_reads_them(self):
        with tempfile.TemporaryDirectory() as folder:
            made = pathlib.Path(folder, "hexproof")
            made.mkdir()
            made.joinpath("__init__.pyi").write_text(stubs.text())
            right = self.mypy(folder, USE)
            self.assertEqual(right.returncode, 0, right.stdout + right.stderr)
            wrong = self.mypy(folder, USE + "\n".join(WRONG) + "\n")
            for k, said in enumerate(WRONG.values()):
                line = USE.count("\n") + k + 1
                self.assertRegex(wrong.stdout, f"use.py:{line}: error: .*{said}")


if __name__ == "__main__":
    unittest.main()
