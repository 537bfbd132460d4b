"""TVM's passes, judged as they run: what a pass makes of a module is compared with the module before it.

    with tvm.transform.PassContext(instruments=[hexproof.tvm.Validate()]): ...

`pytest -p hexproof.tvm` does so for a whole test suite, primitives of schedules included. Of TVM it takes names and
`script()`; what cannot be read is counted, and no exception goes into TVM.
"""
import fnmatch
import sys
import threading

import hexproof
from hexproof.judge import Pool
from hexproof.tvm_report import Report
from hexproof.tvm_pytest import (pytest_addoption, pytest_configure, pytest_runtest_protocol, pytest_sessionfinish,
                                 pytest_terminal_summary)

TOO_LONG = 2_000_000  # characters of a module


def __getattr__(name):
    if name.startswith(("_", "pytest")):
        raise AttributeError(name)
    return getattr(hexproof._tvm_names, name)  # `from hexproof import tvm`: the names that schedules find, too


class Record:
    """One application of a pass, or of a primitive."""

    def __init__(self, name, kind, where, future=None, verdict="", reason=""):
        self.name, self.kind, self.where = name, kind, where
        self._future, self._known = future, {"verdict": verdict, "reason": reason, "functions": []}

    @property
    def done(self):
        return self._future is None or self._future.done()

    def to_dict(self):
        """Waits until it is judged."""
        return {"name": self.name, "kind": self.kind, "where": self.where, **(self._future.result() if self._future else self._known)}


class Judgements:
    """Pairs of modules, in the order in which they were seen, and what became of them."""

    def __init__(self, jobs=0, rlimit=20_000_000, budget=60.0, passes="*", fp="", pool=None):
        self.pool = pool or Pool(jobs, rlimit, budget, fp)
        self.passes = [passes] if isinstance(passes, str) else list(passes)
        self.records, self.where = [], ""
        self._open = threading.local()

    def text_of(self, module):
        """The text of a module and why there is none: one of them is empty."""
        try:
            text = module.script()
            if not isinstance(text, str) or not text.strip():
                return "", "script() gave no text"
            return (text, "") if len(text) <= TOO_LONG else ("", f"the text has more than {TOO_LONG} characters")
        except Exception as e:
            return "", f"script() failed: {type(e).__name__}: {e}"

    def before(self, module, name, kind="pass"):
        """Something begins to work on a module. Others may begin before it ends."""
        stack = self._open.__dict__.setdefault("stack", [])
        stack.append((name, kind, *self.text_of(module), []))

    def after(self, module, name):
        """It has ended. One that was left by an exception never ends."""
        stack = self._open.__dict__.setdefault("stack", [])
        while stack:
            begun, kind, before, why, parts = stack.pop()
            if begun == name:
                break
        else:
            return
        after, why_after = self.text_of(module)
        judged = self._add(name, kind, before, after, why or why_after, parts)
        if stack:
            stack[-1][4].append((before, after, judged))

    def drop(self, name):
        """What has begun under this name was left by an exception."""
        stack = self._open.__dict__.setdefault("stack", [])
        if any(begun == name for begun, *_ in stack):
            while stack.pop()[0] != name:
                pass

    def begin(self, where):
        """From now on all is seen in this place; what has not ended never will."""
        self.where = where
        self._open.__dict__["stack"] = []

    def _add(self, name, kind, before, after, why, parts):
        """Whether it is judged, on its own or by its parts: only then does it stand for a part of what is around it."""
        verdict = "unsupported" if why else "unchanged" if before == after else "by its parts" if _covered(before, after, parts) else ""
        if not any(fnmatch.fnmatchcase(name, p) for p in self.passes):
            return verdict in ("unchanged", "by its parts")
        future = None if verdict else self.pool.submit(before, after)
        self.records.append(Record(name, kind, self.where, future, verdict, why))
        return not why

    def report(self):
        """Waits for what is still judged."""
        return Report([record.to_dict() for record in list(self.records)])


def _covered(before, after, parts):
    """Did other passes that are judged, one after another, do all that this one did? (tvm.transform.Sequential)"""
    for first, last, judged in parts:
        if not judged or first != before:
            return False
        before = last
    return bool(parts) and before == after


class Instrument:
    """What TVM calls: both 0.14 and later ones wrap a class with these methods. None of them raises."""

    def __init__(self, judgements):
        self.judgements = judgements

    def run_before_pass(self, module, info):
        _quietly(lambda: self.judgements.before(module, str(info.name)))

    def run_after_pass(self, module, info):
        _quietly(lambda: self.judgements.after(module, str(info.name)))

    def report(self):
        return self.judgements.report()


def _quietly(work):
    try:
        work()
    except Exception:
        pass


def Validate(**options):
    """A PassInstrument of TVM's. `passes`: which are judged, as patterns of names; `jobs`, `rlimit`, `budget` (seconds a
    function), `fp`: as for `equiv`. `.report()` waits for what is still judged."""
    return wrapped(Judgements(**options))


def wrapped(judgements):
    """As an object of TVM's, where the process has one; `pass_instrument` has stood in both places."""
    real = sys.modules.get("tvm")
    for place in (getattr(real, "instrument", None), getattr(getattr(real, "ir", None), "instrument", None)):
        decorate = getattr(place, "pass_instrument", None)
        if decorate is not None and not isinstance(real, type(hexproof._tvm_names)):
            return decorate(Instrument)(judgements)
    return Instrument(judgements)
