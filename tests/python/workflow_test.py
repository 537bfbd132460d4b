"""How the tests run a workflow (tests/python/support/workflow.py): a step that is wrong fails, and what is not known is an error."""
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "support"))
import workflow  # noqa: E402

GOOD = """permissions: {security-events: write}
jobs:
  one:
    container: debian:bookworm
    steps:
      - uses: actions/checkout@v4
      - name: kept
        uses: actions/cache@v4
        with: {path: kept, key: "a-${{ hashFiles('kernels/**') }}", restore-keys: a-}
      - name: make
        env: {WORD: word}
        run: mkdir -p kept out && test "$WORD" = word && echo '{"runs":[]}' >out/one.sarif
      - name: show
        if: always()
        uses: github/codeql-action/upload-sarif@v3
        with: {sarif_file: out}
      - name: keep
        if: always()
        uses: actions/upload-artifact@v4
        with: {name: out, path: out}
"""


class Workflow(unittest.TestCase):
    def scratch(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return pathlib.Path(folder.name)

    def run_job(self, text, store):
        repository = self.scratch()
        (repository / "kernels").mkdir()
        (repository / "kernels/one.py").write_text("# one")
        (repository / "w.yml").write_text(text)
        return workflow.Workflow(repository, "w.yml", store).run(self.scratch() / "work", os.environ["PATH"])

    def test_a_workflow_that_does_not_work(self):
        """Steps of which one is wrong, each time."""
        store = self.scratch()
        for restored in (False, True):
            run = self.run_job(GOOD, store)
            self.assertEqual((run.failed, run.artifacts, bool(run.restored)), ("", {"out": ["one.sarif"]}, restored))
        for old, new, failed in [
            ("mkdir -p kept out", "false", "make: exit code 1"), ("run: mkdir", "run: ./none.sh; mkdir", "make: exit code 127"),
            ("{WORD: word}", "{WORD: other}", "make: exit code 1"), ("sarif_file: out", "sarif_file: other", "show: other: no SARIF"),
            ("path: out", "path: other", "keep: other: nothing is there"),
            (">out/one.sarif", ">out/one.json", "show: out: no SARIF")]:
            with self.subTest(new):
                self.assertIn(old, GOOD)
                run = self.run_job(GOOD.replace(old, new), store)
                self.assertTrue(run.failed.startswith(failed), run.failed)
        for old, new in [("hashFiles('kernels/**')", "github.sha"), ("hashFiles('kernels/**')", "hashFiles('none/**')"),
                         ("actions/cache@v4", "actions/caches@v4"), ("security-events: write", "security-events: read"),
                         ("if: always()", "if: failure()"), ("actions/checkout@v4", "actions/checkout")]:
            self.assertIn(old, GOOD)
            with self.subTest(new), self.assertRaises((AssertionError, KeyError)):
                self.run_job(GOOD.replace(old, new), store)


if __name__ == "__main__":
    unittest.main()
