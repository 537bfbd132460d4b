"""`pip install .` without a network, and the package from where it was installed."""
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PYTHON = "/usr/bin/python3.11"
PARTS = [f"/usr/lib/python3/dist-packages/{name}" for name in ("pip", "setuptools", "wheel")]
USE = """
import hexproof as hp, pathlib
assert pathlib.Path(hp.__file__).parent.parent == pathlib.Path({folder!r})
assert (pathlib.Path(hp.__file__).parent / "py.typed").exists()
assert "def split(" in (pathlib.Path(hp.__file__).parent / "__init__.pyi").read_text()
assert hp.check("def main(A: T.Buffer((8,), 'int32')):\\n    for i in range(8):\\n        A[i] = 1\\n")
"""


class Install(unittest.TestCase):
    def test_offline(self):
        for part in PARTS:
            self.assertTrue(os.path.isdir(part), f"the package python3-{os.path.basename(part)}, which ./dev installs, is not here")
        build = os.path.dirname(os.path.realpath("/proc/self/exe"))
        before = sorted(p.name for p in ROOT.iterdir())
        with tempfile.TemporaryDirectory() as folder:
            target = os.path.join(os.path.realpath(folder), "site")
            environment = {"PATH": "/usr/bin:/bin", "HOME": folder, "HEXPROOF_BUILD": build, "PIP_NO_INDEX": "1",
                           "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
            ran = subprocess.run([PYTHON, "-m", "pip", "install", "--target", target, str(ROOT)], capture_output=True, text=True,
                                 env=environment, cwd=folder)
            self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
            use = subprocess.run([PYTHON, "-c", USE.format(folder=target)], capture_output=True, text=True, cwd=folder,
                                 env={"PATH": "/usr/bin:/bin", "HOME": folder, "PYTHONPATH": target})
            self.assertEqual(use.returncode, 0, use.stderr)
        self.assertEqual(sorted(p.name for p in ROOT.iterdir()), before)  # nothing is left in the source


if __name__ == "__main__":
    unittest.main()
