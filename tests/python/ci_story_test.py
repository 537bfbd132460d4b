"""The steps of examples/ci in a repository with three kernels: green; one schedule is broken: red, with its place; repaired:
green again, in a tenth of the first time."""
import json
import os
import pathlib
import resource
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("HEXPROOF_BUILD", ROOT / "build"))

SUMS = """
def sums(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    for i in range(64):
        with T.block("sums"):
            vi = T.axis.opaque(64, i)
            B[vi] = B[T.max(vi - 1, 0)] + A[vi]
"""
SUMS_SCHEDULE = """block = sch.get_block("sums")
i, = sch.get_loops(block)
io, ii = sch.split(i, factors=[None, 8])
"""
# Each element waits for the one before.
BROKEN = SUMS_SCHEDULE + "sch.vectorize(ii)\n"


class Story(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.repository = pathlib.Path(self.folder.name)
        kernels = self.repository / "kernels"
        kernels.mkdir()
        for name, program, schedule in [("conv1d", "conv1d_padded/conv1d.py", "conv1d_padded/schedule.py"),
                                        ("maxpool", "maxpool_padded/maxpool.py", "maxpool_padded/schedule_branching.py")]:
            shutil.copy(ROOT / "examples" / program, kernels / f"{name}.py")
            shutil.copy(ROOT / "examples" / schedule, kernels / f"{name}.schedule.py")
        (kernels / "sums.py").write_text(SUMS)
        (kernels / "sums.schedule.py").write_text(SUMS_SCHEDULE)
        for name in ["certify.sh", "kernels.txt"]:
            shutil.copy(ROOT / "examples/ci" / name, self.repository)

    def run_steps(self, kernels="kernels.txt", out="certificates", first_in_path="", **environment):
        path = f"{first_in_path}{BUILD}:{os.environ['PATH']}"
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(["./certify.sh", kernels, out], cwd=self.repository, text=True,
                              env={**os.environ, "PATH": path, "HEXPROOF_CACHE": ".hexproof/proofs.sqlite",
                                   "HEXPROOF_KEPT": ".hexproof/certificates", **environment},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        # (Of the processor: the clock tells of the machine's other work.)
        self.seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return done.returncode, done.stdout

    def results(self, name, kind):
        sarif = json.loads((self.repository / "certificates" / name / "results.sarif").read_text())
        return [one for run in sarif["runs"] for one in run["results"] if one["kind"] == kind]

    def test_green_red_green(self):
        code, said = self.run_steps()
        self.assertEqual(code, 0, said)
        first = self.seconds
        for name in ["conv1d", "maxpool", "sums"]:
            self.assertTrue(self.results(name, "pass"), name)
            self.assertFalse(self.results(name, "fail"), name)

        schedule = self.repository / "kernels/sums.schedule.py"
        schedule.write_text(BROKEN)
        code, said = self.run_steps(GITHUB_ACTIONS="true")
        self.assertEqual(code, 10, said)
        self.assertIn("::error", said)
        self.assertIn("kernels/conv1d.py: exit code 0, as before", said)
        places = [place["physicalLocation"] for one in self.results("sums", "fail")
                  for place in one.get("locations", []) + one.get("relatedLocations", [])]
        self.assertTrue([place for place in places if place["artifactLocation"]["uri"] == "kernels/sums.schedule.py"
                         and place["region"]["startLine"] == 4], places)
        report = json.loads((self.repository / "certificates/sums/report.json").read_text())
        page = (self.repository / "certificates/sums/report.html").read_text()
        condition = report["error"]["condition"]
        self.assertEqual(condition["verdict"], "refuted")
        self.assertTrue(condition["values"])
        for value in condition["values"]:
            self.assertIn(value["name"] + " = " + value["value"], page)
        self.assertIn("sums.schedule.py", page)
        self.see(self.repository / "certificates/sums/report.html", condition)

        schedule.write_text(SUMS_SCHEDULE)
        again = []
        for _ in range(3):  # (a busy machine is slower now and then)
            code, said = self.run_steps()
            self.assertEqual(code, 0, said)
            again.append(self.seconds)
        self.assertLess(min(again), first / 10, said)
        self.assertFalse(self.results("sums", "fail"))
        self.assertTrue(self.results("sums", "pass"))

    def test_what_was_kept_and_changed_is_certified_again(self):
        (self.repository / "kernels.txt").write_text("kernels/sums.py kernels/sums.schedule.py host\n")
        self.assertEqual(self.run_steps()[0], 0)
        kept, = (self.repository / ".hexproof/certificates").iterdir()
        final = kept / "certificate/final.py"
        final.write_text(final.read_text().replace("max", "min"))
        code, said = self.run_steps()
        self.assertEqual(code, 0, said)
        self.assertNotIn("as before", said)
        self.assertIn("T.max", (self.repository / "certificates/sums/certificate/final.py").read_text())
        self.assertIn("as before", self.run_steps()[1])

    def list(self, text):
        (self.repository / "kernels.txt").write_text(text)

    def test_a_list_that_is_none_is_an_error(self):
        (self.repository / "kernels.txt").unlink()
        code, said = self.run_steps()
        self.assertEqual(code, 2, said)
        self.assertIn("cannot read kernels.txt", said)
        for text, says in [("# none\n", "there is no kernel"), ("kernels/sums.py host\n", "is no line"),
                           ("kernels/sums.py kernels/sums.schedule.py host a b\n", "is no line"),
                           ("kernels/sums.py kernels/sums.schedule.py host ../up\n", "is no name of a folder"),
                           ("kernels/sums.py kernels/sums.schedule.py host\n" * 2, "would both go to"),
                           ("kernels/sums.py s.py host\nother/sums.py s.py hexagon\n", "would both go to")]:
            with self.subTest(text=text):
                self.list(text)
                code, said = self.run_steps()
                self.assertEqual(code, 1, said)
                self.assertIn(says, said)
                self.assertFalse((self.repository / "certificates").exists())

    def test_the_last_line_counts(self):
        (self.repository / "kernels/sums.schedule.py").write_text(BROKEN)
        self.list("kernels/sums.py kernels/sums.schedule.py host")
        self.assertEqual(self.run_steps()[0], 10)

    def test_one_program_twice(self):
        self.list("kernels/sums.py kernels/sums.schedule.py host\n"
                  "kernels/sums.py kernels/sums.schedule.py hexagon sums-hexagon\n")
        code, said = self.run_steps()
        self.assertEqual(code, 0, said)
        for name, target in [("sums", "host"), ("sums-hexagon", "hexagon")]:
            made = json.loads((self.repository / "certificates" / name / "certificate/certificate.json").read_text())
            self.assertEqual(made["made"]["target"], target)

    def test_what_a_schedule_imports_is_an_input(self):
        kernels = self.repository / "kernels"
        (kernels / "help er.json").write_text("8\n")
        (kernels / "helper.py").write_text("def tile(sch, i):\n    return sch.split(i, factors=[None, 8])\n")
        (kernels / "sums.schedule.py").write_text(
            "import helper, os\nopen(os.path.join(os.path.dirname(__file__), 'help er.json')).read()\n"
            "helper.tile(sch, sch.get_loops('sums')[0])\n")
        self.list("kernels/sums.py kernels/sums.schedule.py host\n")
        self.assertEqual(self.run_steps()[0], 0)
        self.assertIn("as before", self.run_steps()[1])
        (kernels / "help er.json").write_text("4\n")
        code, said = self.run_steps()
        self.assertEqual(code, 0, said)
        self.assertNotIn("as before", said)
        self.assertIn("as before", self.run_steps()[1])
        (kernels / "helper.py").write_text("def tile(sch, i):\n    return sch.split(i, factors=[None, 0])\n")
        code, said = self.run_steps()
        self.assertNotEqual(code, 0, said)

    def test_another_build_of_one_version_is_another_hexproof(self):
        self.list("kernels/sums.py kernels/sums.schedule.py host\n")
        self.assertEqual(self.run_steps()[0], 0)
        self.assertIn("as before", self.run_steps()[1])
        other = self.repository / "bin/hexproof"
        other.parent.mkdir()
        other.write_text(f'#!/bin/sh\n[ "$1" = certify ] && exit 10\nexec "{BUILD}/hexproof" "$@"\n')
        other.chmod(0o755)
        code, said = self.run_steps(first_in_path=f"{other.parent}:")
        self.assertEqual(code, 10, said)
        self.assertIn("as before", self.run_steps()[1])

    def test_only_its_own_files_are_removed(self):
        self.list("kernels/sums.py kernels/sums.schedule.py host\n")
        code, said = self.run_steps(out="")
        self.assertEqual(code, 1, said)
        self.assertIn("OUT is empty", said)

        # A folder of anything else, found out before another kernel is certified.
        own = self.repository / "kernels/own"
        own.mkdir()
        (own / "own.py").write_text(SUMS)
        (own / "own.schedule.py").write_text(SUMS_SCHEDULE)
        self.list("kernels/sums.py kernels/sums.schedule.py host\nkernels/own/own.py kernels/own/own.schedule.py host\n")
        code, said = self.run_steps(out="kernels")
        self.assertEqual(code, 2, said)
        self.assertIn("kernels/own holds files that certify.sh did not make", said)
        self.assertEqual(sorted(path.name for path in own.iterdir()), ["own.py", "own.schedule.py"])
        self.assertFalse((self.repository / "kernels/sums").exists())

        # What lies beside its own stays, in a folder of kept certificates, too.
        self.list("kernels/sums.py kernels/sums.schedule.py host\n")
        foreign = self.repository / ".hexproof/certificates/old"
        foreign.mkdir(parents=True)
        (foreign / "file").write_text("kept\n")
        os.utime(foreign, (0, 0))
        self.assertEqual(self.run_steps()[0], 0)
        beside = self.repository / "certificates/sums/notes.txt"
        beside.write_text("mine\n")
        code, said = self.run_steps()
        self.assertEqual(code, 0, said)
        self.assertIn("as before", said)
        self.assertEqual(beside.read_text(), "mine\n")
        self.assertTrue((foreign / "file").exists())

        # A program in the folder that its certificate goes to.
        self.list("certificates/sums/certificate/source.py kernels/sums.schedule.py host sums\n")
        code, said = self.run_steps()
        self.assertEqual(code, 2, said)
        self.assertIn("lies in", said)
        self.assertTrue((self.repository / "certificates/sums/certificate/source.py").exists())

    def see(self, page, condition):
        """The page in a browser, where there is one: what its script shows, after clicks, and that it is drawn."""
        browser = shutil.which("chromium") or shutil.which("google-chrome")
        if not browser:
            print("no browser is installed: the page was not drawn")
            return
        clicks = """<script>document.getElementById("status").value="refuted";
document.getElementById("status").dispatchEvent(new Event("change"));
for (const one of document.querySelectorAll("details")) one.open = true;</script>"""
        clicked = page.with_name("clicked.html")
        clicked.write_text(page.read_text().replace("</body>", clicks + "</body>"))
        options = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1280,900",
                   f"--user-data-dir={self.repository / 'browser'}", "--virtual-time-budget=2000"]
        shown = subprocess.run(options + ["--dump-dom", clicked.as_uri()], text=True, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, timeout=120).stdout
        body = shown[shown.index('<div id="page">'):shown.index("<script")]
        self.assertIn('id="counterexamples"', body)
        for value in condition["values"]:
            self.assertIn(f"<tr><td><code>{value['name']}</code></td><td><code>{value['value']}</code></td></tr>", body)
        self.assertIn('<td class="refuted">refuted</td>', body)
        picture = page.with_name("page.png")
        subprocess.run(options + [f"--screenshot={picture}", page.as_uri()], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, timeout=120)
        bytes_ = picture.read_bytes()
        self.assertTrue(bytes_.startswith(b"\x89PNG"))
        self.assertGreater(len(bytes_), 20_000)  # an empty page has 5 000


if __name__ == "__main__":
    unittest.main()
