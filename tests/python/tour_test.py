"""examples/tour.ipynb runs, as a notebook whose kernel is `hexproof python`, and shows what it says."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

NBCONVERT = "/usr/bin/jupyter-nbconvert"
KERNEL = "/usr/lib/python3/dist-packages/ipykernel"
TOUR = pathlib.Path(__file__).resolve().parents[2] / "examples" / "tour.ipynb"


class Tour(unittest.TestCase):
    def test_every_cell_runs(self):
        for part, package in ((NBCONVERT, "jupyter-nbconvert"), (KERNEL, "python3-ipykernel")):
            self.assertTrue(os.path.exists(part), f"the package {package}, which ./dev installs, is not here")
        with tempfile.TemporaryDirectory() as folder:
            kernel = pathlib.Path(folder, "kernels", "hexproof")
            kernel.mkdir(parents=True)
            command = [os.readlink("/proc/self/exe"), "python", "-m", "ipykernel_launcher", "-f", "{connection_file}"]
            kernel.joinpath("kernel.json").write_text(
                json.dumps({"argv": command, "display_name": "hexproof", "language": "python"}))
            out = pathlib.Path(folder, "out.ipynb")
            ran = subprocess.run([NBCONVERT, "--to", "notebook", "--execute", str(TOUR), "--output", str(out)],
                                 env={**os.environ, "JUPYTER_PATH": folder, "HOME": folder}, capture_output=True, text=True)
            self.assertEqual(ran.returncode, 0, ran.stderr[-3000:])
            cells = [c for c in json.loads(out.read_text())["cells"] if c["cell_type"] == "code"]
            shown = json.dumps([c["outputs"] for c in cells])
            self.assertFalse(any(o["output_type"] == "error" for c in cells for o in c["outputs"]))
            for part in ("refuted", "out of bounds", "T.vectorized", "background:#e6ffec", "bit-equal", "parametric", "<svg", "sch.parallel(k)",
                         # the cells that differ, as a table
                         ">index</th>", ">before</th>"):
                self.assertIn(part, shown)


if __name__ == "__main__":
    unittest.main()
