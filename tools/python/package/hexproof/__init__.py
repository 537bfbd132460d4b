"""Tensor programs, transformed by rules, every step proved.

The names, defaults and verdicts are those of the command `hexproof`.
"""
try:
    from hexproof import _hexproof
except ImportError as _missing:
    raise ImportError("hexproof's compiled part is not here: build it with ./dev build, or run this by `hexproof python`") from _missing

from hexproof import progress as _progress
from hexproof._hexproof import (Error, IndexMap, InputError, InternalError, RefutedError, UndecidedError,
                                UnsupportedError)

_tvm_names, tir, te, topi, T = (_hexproof.GLOBALS[_name] for _name in ("tvm", "tir", "te", "topi", "T"))
_session = None
_given_limits = ()
_working = _progress.working
#: What the command does: hexproof.command.
_BY_COMMAND = ("fuzz", "replay", "touched", "bounds", "tune", "report", "explain")


def __getattr__(name):
    if name in _BY_COMMAND:
        from hexproof import command
        return getattr(command, name)
    if name in ("testing", "tvm"):  # hexproof.tvm has the names of TVM that schedules use, and judges TVM's passes
        import importlib
        return importlib.import_module(f"hexproof.{name}")
    raise AttributeError(f"module 'hexproof' has no attribute '{name}'")


def _demand_limits(rlimit, jobs, budget):
    """Limits that the command takes."""
    from numbers import Integral, Real  # numpy's are some
    if not isinstance(rlimit, Integral) or not 1 <= rlimit < 2 ** 64:
        raise InputError(f"rlimit is a number of Z3's resource units from 1 on, not {rlimit!r}")
    if not isinstance(jobs, Integral) or not 0 <= jobs <= 1024:
        raise InputError(f"jobs is a number of threads to 1024, or 0 for one per core, not {jobs!r}")
    if not isinstance(budget, Real) or not 0 <= budget < float("inf"):
        raise InputError(f"budget is a number of seconds, or 0 for no end, not {budget!r}")


def session(rlimit=20_000_000, jobs=0, budget=120.0, cache="off", cache_size=256, progress=None):
    """Sets the limits of the proofs from now on. One function has `budget` seconds; `cache`: a file that keeps proofs, of at
    most `cache_size` MB; `progress`: whether what takes long says so (None: in terminals and notebooks)."""
    global _session, _given_limits
    _demand_limits(rlimit, jobs, budget)
    if not isinstance(cache_size, int) or not 1 <= cache_size <= 2 ** 20:
        raise InputError(f"cache_size is a number of MB from 1 to {2 ** 20}, not {cache_size!r}")
    _progress.show(progress)
    _session = _hexproof.Session(rlimit, jobs, budget, "" if cache == "off" else cache, cache_size)
    _given_limits = (rlimit, jobs, budget, cache or "off", cache_size)


def _limits():
    if _session is None:
        session()
    return _session


class Obligations(list):
    """What was asked, each with its verdict; as a text it is the tally."""

    def __init__(self, asked, tally):
        super().__init__(asked)
        self.tally = tally

    def __str__(self):
        return self.tally

    __repr__ = __str__


def _scalar(text):
    """The value of a scalar as a report shows it, as `run` takes it."""
    for number in (int, float):
        try:
            if number is float or text != "-0":  # a float has two zeros
                return number(text)
        except ValueError:
            pass
    return text


class Report:
    """What was found out. Only "proved" is a yes, and makes the report true."""

    def __init__(self, fields):
        self._tensors, scalars = fields.pop("_tensors", {}), fields.pop("_scalars", {})
        if "_asked" in fields:
            fields["obligations"] = Obligations(fields.pop("_asked"), fields["obligations"])
        self.__dict__.update(fields)
        #: Sizes and scalar parameters of the input that shows a refutation.
        self.scalars = {name: _scalar(value) for name, value in scalars.items()}
        self._fields = fields

    @property
    def inputs(self):
        """The arrays of the input that shows a refutation, by the names of the arguments."""
        import numpy as np
        return {name: np.frombuffer(data, dtype=dtype).reshape(shape) for name, (dtype, shape, data) in self._tensors.items()
                if dtype != "bfloat16" and "x" not in dtype}

    def __bool__(self):
        return self.verdict == "proved"

    def to_dict(self):
        return dict(self._fields)

    def __repr__(self):
        return f"<{self.verdict}: " + " ".join(str(v) for k, v in self._fields.items() if k != "verdict" and v) + ">"

    def _repr_html_(self):
        from hexproof import shown
        return shown.table({k: v for k, v in self._fields.items() if v})


#: In the order in which a person must look at them, as the command's exit codes are.
_FROM_WORST = ("rejected", "refuted", "vacuous", "unsupported", "undecided", "proved")


class Reports(list):
    """A `Report` for each function, or pair of functions, in the order of the file. True when every one is proved; of
    what a `Report` has besides, it has that of `.worst`."""

    @property
    def worst(self):
        """The first of those with the worst verdict."""
        return min(self, key=lambda report: _FROM_WORST.index(report.verdict))

    @property
    def warnings(self):
        return [warning for report in self for warning in report.warnings]

    def __getattr__(self, name):
        if name.startswith("_") or len(self) == 0:
            raise AttributeError(name)
        return getattr(self.worst, name)

    def __bool__(self):
        return len(self) > 0 and all(map(bool, self))

    def to_dict(self):
        return {"verdict": self.verdict, "reports": [report.to_dict() for report in self]}

    def _repr_html_(self):
        return "".join(report._repr_html_() for report in self)


def _one_or_all(reports):
    """Of one function there is one report."""
    return reports[0] if len(reports) == 1 else Reports(reports)


class _reported:
    """Inside of it the report of a check that an exception carries becomes a Report."""

    def __enter__(self):
        return self

    def __exit__(self, _, exception, __):
        if isinstance(exception, Error) and isinstance(exception.report, dict) and "_asked" in exception.report:
            exception.report = Report(exception.report)


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
        from hexproof import shown
        return shown.program(self.script())


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
    if isinstance(given, Certificate):
        return parse(given.files["final.py"].decode(), "final.py")
    if hasattr(given, "script"):
        return parse(given.script())  # a module of TVM's
    raise InputError(f"a program is hexproof.parse(text), its text, or a module of TVM's, not {type(given).__name__}")


def check(program, function="", claims="warning"):
    """Is the function (every function, where none is named) free of errors, for all inputs? `claims`: what a T.reads or
    T.writes is that is false, which changes no value: a warning (in `.warnings`) or an error."""
    program = _program(program)
    with _working("checking"):
        return _one_or_all([Report(_hexproof.check(program._native, name, claims, _limits()))
                            for name in ([function] if function else program.functions)])


def equiv(before, after, layouts=None, pads=None, logical_only=(), method="auto", accept="", max_terms=20_000_000, function=""):
    """Do two programs compute the same? `layouts`: {"A": lambda i: [i // 4, i % 4]}; `pads`: {"A": 0}; `logical_only`: arguments
    whose padding is not observed; `method`: auto, parametric, symbolic, fingerprint or tests; `accept`: weaker evidence that
    sets `.accepted`, probabilistic or tests; `max_terms` bounds the memory of the symbolic method."""
    if isinstance(logical_only, str):
        logical_only = [logical_only]
    maps = {k: v if isinstance(v, str) else _hexproof.index_map(v) for k, v in (layouts or {}).items()}
    pairs = [f"{k}={v}" for k, v in maps.items()], [f"{k}={v}" for k, v in (pads or {}).items()]
    with _working("comparing"):
        found = _hexproof.equiv(_program(before)._native, _program(after)._native, *pairs, list(logical_only), method, accept,
                                max_terms, function, _limits())
    return _one_or_all([Report(r) for r in found])


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
        with _working("checking"), _reported():
            self._native = _hexproof.open_schedule(self.program._native, function, _limits())

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        method = getattr(self._native, name)
        return _shown(method, name) if callable(method) and _progress.is_shown() else method

    def __dir__(self):
        return sorted({*super().__dir__(), *(n for n in dir(self._native) if not n.startswith("_"))})

    @property
    def mod(self):
        return parse(self._native.mod.script(), "<schedule>", self.program._native.fast_math)

    @property
    def steps(self):
        return [Step(fields) for fields in _hexproof.steps(self._native)]

    def certify(self, target="hexagon", out=None, cpu="", seed=1, run=True, trust_rules=False):
        """A certified kernel. `cpu`: with the target host, the processor; `seed`: which random input the object runs on."""
        _demand_folder(out)
        with _working(f"certifying for {target}"):
            made = Certificate(_hexproof.certify(self._native, target, cpu, seed, run, trust_rules))
        if out is not None and made:
            made.save(out)
        return made

    def _repr_html_(self):
        return self.mod._repr_html_()


def _shown(method, name):
    import functools

    @functools.wraps(method)
    def primitive(*args, **kwargs):
        with _working(f"sch.{name}"):
            return method(*args, **kwargs)

    return primitive


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
        from hexproof import shown
        return shown.diff(self.diff())


def _demand_folder(folder):
    """What cannot hold a certificate is known before the work."""
    if folder is not None:
        _hexproof.demand_folder(str(folder))


def apply(program, schedule, function="", certificate=None, trust_rules=False, name="<schedule>"):
    """The program that the text of a schedule makes. `certificate`: the derivation is kept in this folder; `trust_rules`: it is
    not judged a second time."""
    folder = "" if certificate is None else str(certificate)
    _demand_folder(certificate)
    with _working("applying the schedule"), _reported():
        return parse(_hexproof.apply_text(_program(program)._native, name, schedule, function, trust_rules, folder, _limits()))


def certify(program, schedule="", target="hexagon", out=None, function="", cpu="", seed=1, run=True, trust_rules=False,
            name="<schedule>"):
    """check, schedule, judgement, object, run and certificate; `cpu` and `seed` as for Schedule.certify."""
    _demand_folder(out)
    with _working(f"certifying for {target}"):
        made = Certificate(_hexproof.certify_text(_program(program)._native, name if schedule else "", schedule, target, function,
                                                  cpu, seed, run, trust_rules, _limits()))
    if out is not None and made:
        made.save(out)
    return made


def run(program, *arrays, backend="interpreter", function="", scalars=(), cpu="", assert_static=False):
    """Runs a function on numpy arrays, one per buffer, which are changed in place. Raises where it meets an error. `cpu`: with
    the backend host, a processor, whose kernel runs; `assert_static`: what check knows of the program is asserted on the way."""
    from hexproof import arrays as _arrays
    program = _program(program)
    with _working(f"running on {backend}"):
        return _arrays.run(program, arrays, backend, function, scalars, cpu, assert_static, _limits())


class Layout(Report):
    """What an index map does to a box. Shows as its picture; `svg` is one that is drawn."""

    def __str__(self):
        if self.collision:
            return f"refused: no two logical indices may go to one cell: {self.collision}"
        return (f"logical shape      {self.shape}\nmap                {self.map}\ntransformed shape  {self.transformed_shape}\n"
                f"padding            {self.padding or 'none'}\n" + ("\n" + self.picture if self.picture else ""))

    __repr__ = __str__

    def _repr_html_(self):
        from hexproof import shown
        return self.svg or shown.text(str(self))


def layout(index_map, shape):
    """What an index map (a function, or its text) does to a shape of numbers and names: (14, "n")."""
    text = shape if isinstance(shape, str) else "(" + ", ".join(map(str, [shape] if isinstance(shape, int) else shape)) + ")"
    return Layout(_hexproof.layout(index_map, text, _limits()))


def verify(certificate, run=False, solver=""):
    """Judges a certificate (or the folder of one) anew, from its files alone. `solver`: "z3", "cvc5", or both."""
    if isinstance(certificate, Certificate):
        import tempfile
        with tempfile.TemporaryDirectory() as folder:
            certificate.save(f"{folder}/certificate")
            return verify(f"{folder}/certificate", run, solver)
    with _working("auditing"):
        return Report(_hexproof.audit(str(certificate), run, solver, _limits()))
