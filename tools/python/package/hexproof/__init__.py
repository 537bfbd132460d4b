"""Tensor programs, transformed by rules, every step proved.

The names, defaults and verdicts are those of the command `hexproof`.
"""
import html as _html
import re as _re
import sys as _sys

try:
    from hexproof import _hexproof
except ImportError as _missing:
    raise ImportError("hexproof's compiled part is not here: build it with ./dev build, or run this by `hexproof python`") from _missing

from hexproof._hexproof import (Error, IndexMap, InputError, InternalError, RefutedError, UndecidedError,
                                UnsupportedError)

_tvm_names, tir, te, topi, T = (_hexproof.GLOBALS[_name] for _name in ("tvm", "tir", "te", "topi", "T"))
_session = None


def __getattr__(name):
    if name in ("testing", "tvm"):  # hexproof.tvm has the names of TVM that schedules use, and judges TVM's passes
        import importlib
        return importlib.import_module(f"hexproof.{name}")
    raise AttributeError(f"module 'hexproof' has no attribute '{name}'")


def session(rlimit=20_000_000, jobs=0, budget=120.0, cache=""):
    """Sets the limits of the proofs from now on. One function has `budget` seconds; `cache`: a file that keeps proofs."""
    global _session
    _session = _hexproof.Session(rlimit, jobs, budget, cache)


def _limits():
    if _session is None:
        session()
    return _session


class Report:
    """What was found out. Only "proved" is a yes, and makes the report true."""

    def __init__(self, fields):
        self.__dict__.update(fields)
        self._fields = fields

    def __bool__(self):
        return self.verdict == "proved"

    def to_dict(self):
        return dict(self._fields)

    def __repr__(self):
        return f"<{self.verdict}: " + " ".join(str(v) for k, v in self._fields.items() if k != "verdict" and v) + ">"

    def _repr_html_(self):
        rows = "".join(f"<tr><th>{_html.escape(k)}</th><td><pre>{_html.escape(str(v))}</pre></td></tr>"
                       for k, v in self._fields.items() if v)
        return f"<table>{rows}</table>"


_WORDS = _re.compile(r"(?P<comment>#.*)|(?P<string>\"[^\"\n]*\")|(?P<keyword>\b(?:def|for|in|if|else|elif|with|while|class|and|or|not|range|True|False)\b)"
                     r"|(?P<name>\bT\.\w+)|(?P<number>\b\d[\d.]*\b)")
_COLOURS = {"comment": "#777", "string": "#a31515", "keyword": "#00f", "name": "#795e26", "number": "#098658"}


def _coloured(text):
    def one(found):
        return f'<span style="color:{_COLOURS[found.lastgroup]}">{_html.escape(found.group())}</span>'

    out, at = [], 0
    for found in _WORDS.finditer(text):
        out += [_html.escape(text[at:found.start()]), one(found)]
        at = found.end()
    return "<pre>" + "".join(out) + _html.escape(text[at:]) + "</pre>"


class Program:
    """A file of functions, type-checked."""

    def __init__(self, native):
        self._native = native

    @property
    def functions(self):
        return self._native.functions

    def script(self):
        return self._native.script()

    def show(self):
        print(self.script())

    __str__ = script

    def __repr__(self):
        return f"<program of {', '.join(self.functions)}>"

    def _repr_html_(self):
        return _coloured(self.script())


def parse(text, name="<text>", fp=""):
    """Reads TVMScript. `fp`: fast-math flags that you grant."""
    return Program(_hexproof.read_text(text, name, fp))


def read(path, fp=""):
    return Program(_hexproof.read(str(path), fp))


def _program(given):
    if isinstance(given, Program):
        return given
    if isinstance(given, str):
        return parse(given)
    if isinstance(given, Schedule):
        return parse(given.mod.script())
    if hasattr(given, "script"):
        return parse(given.script())  # a module of TVM's
    raise InputError(f"a program is hexproof.parse(text), its text, or a module of TVM's, not {type(given).__name__}")


def _function(program, function):
    if function:
        return function
    if len(program.functions) == 1:
        return program.functions[0]
    return "main" if "main" in program.functions else program.functions[0]


def check(program, function=""):
    """Is the function free of errors, for all inputs?"""
    program = _program(program)
    return Report(_hexproof.check(program._native, _function(program, function), _limits()))


def equiv(before, after, layouts=None, pads=None, function=""):
    """Do two programs compute the same? `layouts`: {"A": "lambda i: [i // 4, i % 4]"}; `pads`: {"A": 0}."""
    pairs = [f"{k}={v}" for k, v in (layouts or {}).items()], [f"{k}={v}" for k, v in (pads or {}).items()]
    all_ = [Report(r) for r in _hexproof.equiv(_program(before)._native, _program(after)._native, *pairs, function, _limits())]
    return all_[0] if len(all_) == 1 else all_


class Certificate:
    def __init__(self, native):
        self.native, self.verdict, self.says = native, native.verdict, native.says
        self.files = native.files

    def __bool__(self):
        return self.verdict == "proved"

    @property
    def summary(self):
        return self.files["summary.txt"].decode()

    def to_dict(self):
        import json
        return json.loads(self.files["certificate.json"])

    def save(self, folder):
        self.native.save(str(folder))

    def __repr__(self):
        return f"<certificate: {self.verdict}>"


class Schedule:
    """TVM's primitives on a program: `sch.split(...)`; each is proved, or raises and changes nothing."""

    def __init__(self, program, function="", **_):
        self.program = _program(program)
        self._native = _hexproof.open_schedule(self.program._native, function, _limits())

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._native, name)

    def __dir__(self):
        return sorted({*super().__dir__(), *(n for n in dir(self._native) if not n.startswith("_"))})

    @property
    def mod(self):
        return parse(self._native.mod.script(), "<schedule>", self.program._native.fast_math)

    @property
    def steps(self):
        return [Step(fields) for fields in _hexproof.steps(self._native)]

    def certify(self, target="hexagon", out=None, run=True, trust_rules=False):
        made = Certificate(_hexproof.certify(self._native, target, run, trust_rules))
        if out is not None and made:
            made.save(out)
        return made

    def _repr_html_(self):
        return self.mod._repr_html_()


class Step:
    def __init__(self, fields):
        self.__dict__.update(fields)
        self._fields = fields

    def to_dict(self):
        return dict(self._fields)

    def diff(self):
        import difflib
        return "\n".join(difflib.unified_diff(self.before.splitlines(), self.after.splitlines(), "before", "after", lineterm=""))

    def __repr__(self):
        return f"<step {self.rule}: {self.obligations} obligations>"

    def _repr_html_(self):
        colour = {"+": "#e6ffec", "-": "#ffebe9"}
        lines = (f'<div style="background:{colour.get(line[:1], "none")}">{_html.escape(line) or " "}</div>' for line in self.diff().splitlines())
        return "<pre>" + "".join(lines) + "</pre>"


def apply(program, schedule, function="", name="<schedule>"):
    """The program that the text of a schedule makes."""
    verdict, text, says = _hexproof.apply_text(_program(program)._native, name, schedule, function, _limits())
    if verdict != "proved":
        raise (RefutedError if verdict == "refuted" else UndecidedError)("\n".join(says) or verdict)
    return parse(text)


def certify(program, schedule="", target="hexagon", out=None, function="", run=True, trust_rules=False, name="<schedule>"):
    """check, schedule, judgement, object, run and certificate."""
    made = Certificate(_hexproof.certify_text(_program(program)._native, name if schedule else "", schedule, target, function,
                                              run, trust_rules, _limits()))
    if out is not None and made:
        made.save(out)
    return made


def _bytes_of(array, parameter):
    import numpy as np
    name, dtype, _, shape = parameter
    if not isinstance(array, np.ndarray):
        raise InputError(f"'{name}' takes a numpy array, not {type(array).__name__}: numpy.asarray(x, dtype=numpy.{dtype})")
    if array.dtype.newbyteorder("=") == np.dtype(dtype) and not array.dtype.isnative:
        raise InputError(f"'{name}' has the bytes of another machine: x.astype(numpy.{dtype})")
    if array.dtype != np.dtype(dtype):
        raise InputError(f"'{name}' holds {dtype}, not {array.dtype}: x.astype(numpy.{dtype})")
    known = [int(s) if s.isdigit() else None for s in shape]
    if len(known) != array.ndim or any(k is not None and k != s for k, s in zip(known, array.shape)):
        raise InputError(f"'{name}' has the shape ({', '.join(shape)}), not {array.shape}")
    if not array.flags.c_contiguous:
        raise InputError(f"'{name}' is not in C order: numpy.ascontiguousarray(x)")
    if not array.flags.writeable:
        raise InputError(f"'{name}' may not be written: x.copy()")
    return dtype, list(array.shape), array.tobytes()


def run(program, *arrays, backend="interpreter", function="", scalars=()):
    """Runs a function on numpy arrays, one per buffer, which are changed in place. Raises where it meets an error."""
    import numpy as np
    if backend not in ("interpreter", "host", "hexagon"):
        raise InputError(f"a backend is interpreter, host or hexagon, not {backend!r}")
    program = _program(program)
    buffers = [p for p in _hexproof.parameters(program._native, function, _limits()) if p[2]]
    if len(arrays) != len(buffers):
        raise InputError(f"{len(buffers)} arrays are needed ({', '.join(p[0] for p in buffers)}), not {len(arrays)}")
    given = [_bytes_of(array, parameter) for array, parameter in zip(arrays, buffers)]
    ran = _hexproof.run(program._native, given, backend, function, list(scalars), _limits())
    if ran["verdict"] == "refuted":
        raise RefutedError(ran["error"] or ran["checked"]["counterexample"])
    if ran["verdict"] != "proved":
        raise UndecidedError(ran["checked"]["reason"] or ran["verdict"])
    for array, (dtype, shape, data, _) in zip(arrays, ran["tensors"]):
        array[...] = np.frombuffer(data, dtype=dtype).reshape(shape)
    return arrays
