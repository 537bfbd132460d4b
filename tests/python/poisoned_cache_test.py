"""A hundred entries of a proof cache that call something proved which is false. What is made with them is a certificate of a
wrong program; `audit`, which looks at no cache, rejects each."""
import concurrent.futures
import hashlib
import os
import pathlib
import sqlite3
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ.get("HEXPROOF_BUILD", pathlib.Path(__file__).resolve().parents[2] / "build"))
COUNT = 100

# One n of many leaves the bounds: a question that a solver is asked, and whose answer is kept.
PROGRAM = """def main(A: T.Buffer((16,), "int32"), n: T.int32):
    T.assume(n > 3 and n < 40000)
    if n * n == {square}:
        A[16] = 1
"""


def hexproof(*arguments):
    done = subprocess.run([BUILD / "hexproof", *map(str, arguments)], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


def poison(cache):
    """Every refutation becomes a proof, with digests that fit. Returns how many."""
    changed = 0
    with sqlite3.connect(cache) as file:
        for key, answer in file.execute("SELECT key, answer FROM answers").fetchall():
            verdict, solver, reason, rlimit, *_ = answer.split("\n")
            if verdict == "0":
                continue
            text = f"0\n{solver or 'z3'}\n\n{rlimit}\n0\n"
            text += hashlib.sha256((key + text).encode()).hexdigest()
            file.execute("UPDATE answers SET answer = ? WHERE key = ?", (text, key))
            changed += 1
    file.close()
    return changed


class Poisoned(unittest.TestCase):
    def test_audit_rejects_what_was_made_with_each(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "none.sch.py").write_text("pass\n")
            with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as several:
                self.assertEqual(sum(several.map(lambda number: self.rejected(folder, number), range(COUNT))), COUNT)

    def rejected(self, folder, number):
        program, cache, certificate = (folder / f"{part}{number}" for part in ["p", "cache", "made"])
        program.write_text(PROGRAM.format(square=(1111 + number) ** 2))
        code, said = hexproof("check", program, "--cache", cache, "--jobs", 1)
        self.assertEqual(code, 10, said)
        self.assertGreaterEqual(poison(cache), 1)
        code, said = hexproof("apply", program, folder / "none.sch.py", "--cache", cache, "--trust-rules", "--jobs", 1,
                              "--certificate", certificate, "-o", folder / f"out{number}.py")
        self.assertEqual(code, 0, said)  # the cache is believed
        code, said = hexproof("audit", certificate, "--solver", "z3", "--jobs", 1)
        self.assertEqual(code, 12, said)
        self.assertIn("source.py", said)
        return 1


if __name__ == "__main__":
    unittest.main()
