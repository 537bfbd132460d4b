"""What the command `hexproof` does for the package: it runs, and its report comes back."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

import hexproof
from hexproof import progress
from hexproof._hexproof import InputError, UnsupportedError


def _command():
    """The command that was built with this package, or the one that is installed."""
    package = os.path.dirname(os.path.abspath(__file__))
    own = os.path.join(os.path.dirname(os.path.dirname(package)), "hexproof")
    running = os.path.realpath("/proc/self/exe")
    found = running if os.path.basename(running) == "hexproof" else own if os.access(own, os.X_OK) else shutil.which("hexproof")
    if not found:
        raise UnsupportedError("this is done by the command hexproof, which is not in PATH")
    return found


def _report(doing, words, options=(), shown=None):
    """The report of the command: its answer, or InputError where it has none. `shown`: what files that are there for the
    command alone are called in what it says."""
    words = [_command(), *words, "--json", "-", "--quiet"]
    for name, value in options:
        words += [name, str(value)]
    with progress.working(doing):
        ran = subprocess.run(words, capture_output=True, text=True)
    answer, said = ran.stdout, ran.stderr.strip()
    for path, name in (shown or {}).items():
        answer, said = answer.replace(path, json.dumps(name)[1:-1]), said.replace(path, name)
    try:
        report = json.loads(answer)
    except ValueError:
        report = {"error": {}}
    if "error" in report:
        error = report["error"]
        raised = InputError(error.get("text") or said or f"hexproof {words[1]} ended with {ran.returncode}")
        raised.file, raised.line, raised.column = error.get("file"), error.get("line", 0), error.get("column", 0)
        raise raised
    return hexproof.Report(report)


def _given(options):
    """Those that are not left at "" or None."""
    return [(name, value) for name, value in options.items() if value not in ("", None)]


def _limits():
    hexproof._limits()
    rlimit, jobs, budget, cache, cache_size = hexproof._given_limits
    return [("--rlimit", rlimit), ("--jobs", jobs), ("--budget", budget), ("--cache", cache), ("--cache-size", cache_size)]


class _Texts:
    """Programs and schedules as files, for as long as the command runs."""

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory()
        self.shown = {}
        return self

    def __exit__(self, *_):
        self._folder.cleanup()

    def program(self, given):
        """As it was written, so that lines are those of its own file; the words of the command for it."""
        native = hexproof._program(given)._native
        return [self.text("program.py", native.text, native.path), *(["--fp", native.fast_math] if native.fast_math else [])]

    def text(self, name, given, shown="<text>"):
        """A text, or the file that a Path names."""
        if isinstance(given, os.PathLike):
            return os.fspath(given)
        path = pathlib.Path(self._folder.name, name)
        path.write_text(given, encoding="utf-8")
        self.shown[str(path)] = shown
        return str(path)


def fuzz(runs=50000, time=0.0, seed=1, padded=8, granted=5, te=2, schedules=6, from_seeds=8, constructs=50, verdicts=10,
         inside=16, cover=False, shard="0/1", corpus="", jobs=0, rlimit=20_000):
    """A campaign over random programs and schedules. What it finds is in `.findings`; nothing is proved by it."""
    if runs <= 0 and time <= 0:
        raise InputError("a campaign ends after so many runs, or after so much time")
    options = {"--runs": runs, "--time": time, "--seed": seed, "--padded": padded, "--granted": granted, "--te": te,
               "--schedules": schedules, "--from-seeds": from_seeds, "--constructs": constructs, "--verdicts": verdicts,
               "--inside": inside, "--shard": shard, "--corpus": corpus, "--jobs": jobs, "--rlimit": rlimit}
    return _report("a campaign", ["fuzz"] + ["--cover"] * bool(cover), _given(options))


def replay(case):
    """One case that a campaign saved, again: the path of its file."""
    return _report("a case", ["fuzz", "replay", os.fspath(case)])


def touched(program, buffer, function=""):
    """Which cells of a buffer a function reads and writes."""
    with _Texts() as texts:
        options = _given({"--buffer": buffer, "--function": function})
        return _report("looking", ["touched", *texts.program(program)], options + _limits(), texts.shown)


def bounds(script):
    """The bounds of loops and buffers of a script of tensor expressions: its text, or a Path."""
    with _Texts() as texts:
        return _report("bounds", ["bounds", texts.text("script.py", script)], _limits(), texts.shown)


def tune(program, template, output="", function="", tries=40, seconds=0.0, seed=1, trust_rules=False):
    """Values of a schedule's parameters, by packets under QEMU. `template`: the text of the schedule, or a Path, in which
    `tile = 8  # tune: 4, 8, 16` is a parameter; `output`: where the schedule with the best values goes."""
    with _Texts() as texts:
        words = ["tune", *texts.program(program), texts.text("template.py", template, "<template>")] + ["--trust-rules"] * bool(trust_rules)
        options = {"--output": output, "--function": function, "--tries": tries, "--seconds": seconds, "--seed": seed}
        return _report("tuning", words, _given(options) + _limits(), texts.shown)


def report(certificate, output):
    """A certificate, the folder of one, or a report that the command wrote as JSON, as one page."""
    if isinstance(certificate, hexproof.Certificate):
        with tempfile.TemporaryDirectory() as folder:
            certificate.save(f"{folder}/certificate")
            return report(f"{folder}/certificate", output)
    return _report("writing", ["report", os.fspath(certificate)], [("--output", os.fspath(output))])


def explain(code=""):
    """What an error means, by its code ("HX0103"); without one: all of them, as Markdown."""
    ran = subprocess.run([_command(), "explain", *([code] if code else ["--all"])], capture_output=True, text=True)
    if ran.returncode:
        raise InputError(ran.stderr.strip())
    return ran.stdout
