"""The commands of the docs: each that is shown with a prompt is run, and prints what stands below it; each that is named
exists, with its options. Every page is reached from the README."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("HEXPROOF_BUILD", ROOT / "build"))
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "examples").glob("*/README.md"))]

# RFC 77: the stage of the padding, behind the one that computes.
PADDED = """def main(B: T.Buffer((4, 4), "float32"), A: T.Buffer((14,), "float32")):
    for io, ii in T.grid(4, 4):
        if 4 * io + ii < 14:
            B[io, ii] = A[4 * io + ii]
    for io, ii in T.grid(4, 4):
        if io == 3 and ii >= 2:
            B[io, ii] = T.float32(0)
"""
SUM = """@T.prim_func
def total(A: T.Buffer((14,), "float32"), B: T.Buffer((1,), "float32")):
    with T.block("compute"):
        B[0] = T.float32(-0.0)
        for i in range(14):
            B[0] = B[0] + A[i]
"""
EQUIV = """def total(A: T.Buffer((14,), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = 0
    for i in range(14):
        B[0] = B[0] + A[i]
"""
# What commands without a file on their page are run on.
EXAMPLES = ROOT / "examples/schedules"
FILES = {"padded.py": PADDED, "sum.py": SUM, "matmul.py": (EXAMPLES / "matmul.py").read_text(),
         "schedule.py": (EXAMPLES / "matmul.schedule.py").read_text(),
         "before.py": EQUIV, "after.py": EQUIV.replace("A[i]", "A[13 - i]"),
         "packed.py": EQUIV.replace("(14,)", "(4, 4)").replace("14", "16").replace("A[i]", "A[i // 4, i % 4]")}
SEED = (ROOT / "fuzz/seeds/steps/add-unit-loop.txt").read_text().split("# hexproof fuzz case 1\n")[1]
FILES_OF = {"campaigns.md": {"findings/unsound-0c02ad948067.py": "# hexproof fuzz case 1\n" + SEED}}

# Pages whose blocks hold commands without a prompt, each run as it stands.
COMMANDS_OF = ["campaigns.md", "equiv.md", "mutants.md"]
# Those of examples are all run, in a copy of their folder, but that nothing is run under QEMU: other tests do.
OF_EXAMPLES = [page for page in PAGES if page.name == "README.md" and page.parent != ROOT]
# But for these, and what their page says of how long they take.
LONG = {"hexproof fuzz --runs 2000 --constructs 90 --cover": "(takes an hour)",
        "HEXPROOF_RECORD_STEPS=records.txt build/tests/test_rewrite": "(takes some minutes)",
        "HEXPROOF_UPDATE_SEEDS=records.txt build/tests/test_fuzz": "(takes some minutes)",
        "./dev mutants": "(Each command here makes that build first, which takes half an hour.)",
        "build-mutants/hexproof": "(Each command here makes that build first, which takes half an hour.)"}
BENCHMARKS = {"./dev bench hexagon": "some minutes.)", "./dev bench host": "some minutes.)"}


def blocks(page):
    """The fenced blocks: the word behind the fence, the lines, and where they begin."""
    out, inside = [], None
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if not line.lstrip().startswith("```"):
            if inside:
                inside[1].append(line)
            continue
        if inside:
            out.append(inside)
            inside = None
        else:
            inside = (line.strip()[3:].strip(), [], number)
    return out


def sessions(lines):
    """Each command with a prompt, and what is shown below it."""
    out = []
    for line in lines:
        if line.startswith("$ "):
            out.append((line[2:], []))
        elif out:
            out[-1][1].append(line)
    return out


def shows(shown, printed):
    """Do the lines stand there in this order? `...` stands for anything, also within a line."""
    pattern = ""
    for line in shown:
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += r".*".join(re.escape(part) for part in line.split("...")) + r"\n"
    return re.fullmatch(pattern + r"(?:.*\n)*?" if not shown or shown[-1].strip() == "..." else pattern, printed)


class DocsCommands(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.environment = {**os.environ, "PATH": f"{BUILD}:{os.environ['PATH']}",
                            "XDG_CACHE_HOME": str(self.folder / "cache")}

    def run_line(self, command, folder):
        done = subprocess.run(["bash", "-c", command], cwd=folder, env=self.environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
        # (Where work is long, a line every ten seconds says so; the last one tells what was answered by the proof cache.)
        return done.returncode, re.sub(r"(?m)^(\d+ s|proof cache): .*\n", "", done.stdout)

    def test_what_is_shown_with_a_prompt(self):
        count = 0
        for page in PAGES:
            folder = self.folder / page.stem
            folder.mkdir(exist_ok=True)
            for name, text in FILES.items():
                (folder / name).write_text(text)
            code = 0
            for words, lines, number in blocks(page):
                if len(words.split()) == 2:
                    (folder / words.split()[1]).write_text("\n".join(lines) + "\n")
                for command, shown in sessions(lines):
                    with self.subTest(page=page.name, line=number, command=command):
                        self.provide(command, folder)
                        if command == "echo $?":
                            printed = f"{code}\n"
                        else:
                            code, printed = self.run_line(command, folder)
                        count += 1
                        if shown:
                            self.assertTrue(shows(shown, printed), f"{page.name}:{number}: {command}\n{printed}")
                        elif command != "echo $?":
                            self.assertEqual(code, 0, printed)
        self.assertGreaterEqual(count, 19)

    def test_what_is_shown_without_a_prompt(self):
        run, long = [], set()
        for name in COMMANDS_OF:
            page, folder = ROOT / "docs" / name, self.folder / name
            for file, text in {**FILES, **FILES_OF.get(name, {})}.items():
                (folder / file).parent.mkdir(parents=True, exist_ok=True)
                (folder / file).write_text(text)
            for words, lines, number in blocks(page):
                for line in lines if not words else []:
                    if not re.match(r"(hexproof|\./dev|build\S*/\w+|[A-Z_]+=\S+) ", line):
                        continue
                    left = [command for command in LONG if line.startswith(command)]
                    for command in left:
                        long.add(command)
                        self.assertIn(LONG[command], page.read_text(), f"{name}:{number}: {line}")
                    if left:
                        continue
                    with self.subTest(page=name, line=number, command=line):
                        run.append(line)
                        code, printed = self.run_line(line, folder)
                        self.assertEqual(code, 0, printed)
        self.assertEqual(long, set(LONG))
        self.assertGreaterEqual(len(run), 5)

    def provide(self, command, folder):
        """Files that are too long for a page."""
        for name in re.findall(r"\S+\.(?:py|sh)\b", command):
            if (folder / name).exists() or name == "out.py":
                continue
            self.assertTrue((ROOT / name).exists(), f"{name} stands neither on its page nor in the repository")
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)

    # FILE, SCHEDULE, ... stand for those of an example.
    def test_the_list_of_the_readme(self):
        tutorial = {words.split()[-1]: "\n".join(lines) + "\n" for words, lines, _ in blocks(ROOT / "docs/tutorial.md")
                    if words}
        (self.folder / "p.py").write_text(tutorial["matmul.py"])
        (self.folder / "s.py").write_text(tutorial["right.py"])
        names = {"FILE.html": "page.html", "FILE": "p.py", "SCHEDULE": "s.py", "OUT": "o.py", "DIR": "certificate",
                 "BEFORE": "p.py", "AFTER": "p.py", "hexagon": "hexagon --no-run", "50000": "20"}
        (self.folder / "r.py").write_text(EQUIV)
        np.save(self.folder / "x.npy", np.arange(14, dtype=np.int32))
        lines = [line.split("#")[0].strip() for _, block, _ in blocks(ROOT / "README.md") for line in block
                 if line.startswith("hexproof ")]
        self.assertGreaterEqual(len(lines), 9)
        for line in lines:
            code_of_line = 0
            if line.startswith("hexproof run "):
                line = line.replace("FILE", "r.py")
            if line == "hexproof rules --prove":  # (whole in tests/rewrite/expr_rules_prove_test.cpp: it takes a minute)
                line, code_of_line = line + " --budget 0.001", 5
            for name, value in names.items():
                line = re.sub(rf"(?<![\w.]){re.escape(name)}(?![\w.])", value, line)
            with self.subTest(line=line):
                code, printed = self.run_line(line, self.folder)
                self.assertEqual(code, code_of_line, printed)
                if code_of_line:
                    self.assertIn("HX0003", printed)
        self.assertEqual(np.load(self.folder / "y.npy").tolist(), [sum(range(14))])

    def test_examples(self):
        run, left = [], set()
        shutil.copytree(ROOT / "examples", self.folder / "examples")
        (self.folder / "build").mkdir()
        (self.folder / "build/hexproof").symlink_to(BUILD / "hexproof")
        for page in OF_EXAMPLES:
            for words, lines, number in blocks(page):
                for line in lines:
                    with self.subTest(page=page.parent.name, line=number, command=line):
                        self.assertRegex(line, r"^(build/|\./dev |)\w+")
                        if line.startswith("./dev bench "):
                            name = " ".join(line.split()[:3])
                            left.add(name)
                            self.assertIn(BENCHMARKS[name], page.read_text())
                            continue
                        if "--target host" not in line:
                            line = line.replace("certify ", "certify --no-run ")
                        at_root = line.startswith("build/")
                        code, printed = self.run_line(line, self.folder if at_root else self.folder / "examples" / page.parent.name)
                        self.assertEqual(code, 0, printed)
                        run.append(line)
        self.assertEqual(left, set(BENCHMARKS))
        self.assertGreaterEqual(len(run), 6)

    def test_every_page_is_reached(self):
        """By links from the README; and no link leads to what is not there."""
        seen, todo, broken = set(), [ROOT / "README.md"], []
        while todo:
            page = todo.pop()
            if page in seen:
                continue
            seen.add(page)
            for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text()):
                target = (page.parent / link).resolve()
                if "://" in link:
                    continue
                if not target.exists():
                    broken.append(f"{page.name}: {link}")
                elif target.suffix == ".md":
                    todo.append(target)
                elif (target / "README.md").exists():
                    todo.append(target / "README.md")
        self.assertEqual(broken, [])
        self.assertEqual([str(page) for page in PAGES if page not in seen], [])

    def test_what_is_named_exists(self):
        help_of, wrong = {}, []
        for page in PAGES:
            for text in re.findall(r"`(hexproof [a-z][^`]*)`", page.read_text()):
                words = text.split()
                if words[1] not in help_of:
                    help_of[words[1]] = self.run_line(f"hexproof {words[1]} --help", self.folder)
                code, printed = help_of[words[1]]
                missing = [w for w in words[2:] if w.startswith("--") and w.split("=")[0] not in printed]
                if code != 0 or (missing and words[1] != "python"):
                    wrong.append(f"{page.name}: {text}: {missing}")
        self.assertEqual(wrong, [])
        self.assertGreater(len(help_of), 12)
        helped = self.run_line("hexproof-check --help", self.folder)[1]
        options = [set(re.findall(r"--\w+", text)) for page in PAGES for text in re.findall(r"\bhexproof-check [^`\n]*", page.read_text())]
        # (What stands in quotes is the solver's.)
        named = {option for of in options for option in of} - {"--lang"}
        self.assertEqual(named, set(re.findall(r"^  (?:-\w,)?(--\w+)", helped, re.M)) - {"--help"})
        said = subprocess.run([ROOT / "dev", "help"], text=True, stdout=subprocess.PIPE, check=True).stdout
        for page in PAGES:
            for word in re.findall(r"\./dev ([a-z]+)", page.read_text()):
                self.assertIn(f"  {word} ", said.replace("\n", " \n"), page.name)


if __name__ == "__main__":
    unittest.main()
