"""What a schedule finds around it: exceptions, TVM's names, and where in the text things stand.

Compiled into the library; `_native` holds what is written in C++.
"""
import sys
import types


class Error(Exception):
    """What hexproof says no to. `file`, `line`, `column`: where; None and 0 when nowhere. `hint`: a cure. `report`:
    what is known of the condition that does not hold, or of the check; None: there is none."""

    file = None
    line = 0
    column = 0
    hint = ""
    report = None

    def __init__(self, message="", hint=""):
        super().__init__(message, *([hint] if hint else []))
        self.hint = hint

    def __str__(self):
        message = str(self.args[0]) if self.args else ""
        return message if not self.hint or self.hint in message else f"{message}\n  hint: {self.hint}"


class InputError(Error, ValueError):
    """A mistake: something that does not parse, does not fit, or is not there."""


class UnsupportedError(Error):
    """Something that hexproof does not model."""


class RefutedError(Error):
    """A condition of a step is false: the message has the values."""


class UndecidedError(Error):
    """A condition of a step was neither proved nor refuted within the limits."""


class MissingError(UnsupportedError, AttributeError):
    """A primitive of TVM that there is not, or a name that nothing has."""


class NoSuchError(InputError, AttributeError):
    """A name that nothing has."""


class InternalError(BaseException):
    """A bug of hexproof. No `except Exception` takes it for an answer."""


# --- Where things stand -----------------------------------------------------------------------------------------------


def prepare(text, path):
    """The code of a text, the arguments of its calls, and the bodies of its lambdas.

    Calls are known by where they end, which is the end of no other call. Columns count bytes, from 0.
    """
    flags = 0x400  # PyCF_ONLY_AST
    tree = compile(text, path, "exec", flags, dont_inherit=True)
    calls, lambdas = {}, []
    nodes = [tree]
    while nodes:
        node = nodes.pop()
        kind = type(node).__name__
        if kind == "Call":
            arguments = [("*" if type(a).__name__ == "Starred" else "", *_range(a)) for a in node.args]
            arguments += [(k.arg or "**", *_range(k.value)) for k in node.keywords]
            calls[node.end_lineno, node.end_col_offset] = arguments
        elif kind == "Lambda":
            lambdas.append(_range(node.body))
        for field in node._fields:
            child = getattr(node, field, None)
            if isinstance(child, list):
                nodes.extend(c for c in child if hasattr(c, "_fields"))
            elif hasattr(child, "_fields"):
                nodes.append(child)
    return compile(tree, path, "exec", dont_inherit=True), calls, lambdas


def _range(node):
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset


def source_of(path):
    """The text of a file that code says it comes from; also of a notebook's cell. None: there is none."""
    import linecache

    lines = linecache.getlines(path)
    return "".join(lines) if lines else None


def body_of(code, lambdas):
    """The place of the body of a lambda, among those of its file."""
    best = None
    for line, end_line, column, end_column in code.co_positions():
        if line is None or column is None:
            continue
        for body in lambdas:
            inside = (body[0], body[1]) <= (line, column) and (end_line, end_column) <= (body[2], body[3])
            if inside and (best is None or (best[0], best[1]) < (body[0], body[1])):
                best = body
        if best:
            return best
    return None


def rebound(function, names):
    """The function, with these names for what it finds nowhere else."""
    space = dict(function.__globals__)
    space.update(names)
    out = types.FunctionType(function.__code__, space, function.__name__, function.__defaults__, function.__closure__)
    out.__kwdefaults__ = function.__kwdefaults__
    return out


# --- TVM's names ------------------------------------------------------------------------------------------------------

DTYPES = set(_native.dtypes)
_running = []  # the schedules that texts work on, the innermost last


def current():
    if not _running:
        raise InputError("there is no schedule here: hexproof.Schedule(program) makes one")
    return _running[-1]


class Program:
    """sch.mod, or the program in `tir.Schedule(Module)`: the one that is scheduled, whatever it is called."""

    def __init__(self, schedule):
        self._schedule = schedule

    def script(self, *_, **__):
        return self._schedule._script()

    def show(self, *_, **__):
        print(self.script())

    def __str__(self):
        return self.script()

    def __getitem__(self, name):
        return self


def _copy(self):
    """A schedule to try things on: what is done to it changes nothing else."""
    out = self._copy()
    out._calls = list(getattr(self, "_calls", ()))
    return out


def _show(self, *_, **__):
    """Prints the program."""
    print(self._script())


_copy.__name__, _show.__name__ = "copy", "show"
_native.Schedule.copy, _native.Schedule.show = _copy, _show


class Sampled(int):
    """A number that a sample_ primitive gave: a trace knows it again."""


def sampled(result):
    if isinstance(result, list):
        return [sampled(one) for one in result]
    return Sampled(result) if type(result) is int else result


def _key(value):
    """By what a trace knows it again; None: it is what it is."""
    if isinstance(value, (_native.BlockRV, _native.LoopRV)):
        return type(value), value
    return (Sampled, id(value)) if isinstance(value, Sampled) else None


class Instruction:
    """A primitive that was called: its name, what it was given, what it gave, and the call as it is written."""

    def __init__(self, name, args, kwargs, result, written):
        self.name, self.args, self.kwargs, self.result, self.written = name, args, kwargs, result, written

    @property
    def outputs(self):
        return list(self.result) if isinstance(self.result, (list, tuple)) else [] if self.result is None else [self.result]

    def _functions(self):
        """What is written for each argument: functions have no text of their own."""
        import ast
        try:
            call = ast.parse(self.written, mode="eval").body
            given = {**dict(enumerate(call.args)), **{k.arg: k.value for k in call.keywords}}
            return {key: ast.unparse(value) for key, value in given.items()}
        except (SyntaxError, AttributeError):
            return {}

    def text(self, names):
        """As a line of Python, handles by their names."""
        import inspect
        parameters = list(inspect.signature(getattr(_native.Schedule, self.name)).parameters.values())[1:]
        several = any(p.kind is p.VAR_POSITIONAL for p in parameters)
        functions = self._functions()
        given = [("" if several else f"{parameters[k].name}=") + _written(value, names, functions.get(k)) for k, value in enumerate(self.args)]
        given += [f"{key}={_written(value, names, functions.get(key))}" for key, value in self.kwargs.items()]
        return f"sch.{self.name}({', '.join(given)})"

    def __str__(self):
        return self.written


def _written(value, names, function=None):
    if _key(value) in names:
        return names[_key(value)]
    if isinstance(value, (_native.BlockRV, _native.LoopRV)):
        return f'"{value.name}"'
    if isinstance(value, Sampled):
        return str(int(value))
    if isinstance(value, list):
        return "[" + ", ".join(_written(one, names) for one in value) + "]"
    if isinstance(value, tuple):
        return "(" + "".join(_written(one, names) + ", " for one in value).strip(" " if len(value) == 1 else ", ") + ")"
    if isinstance(value, str):
        import json
        return json.dumps(value)
    if value is None or isinstance(value, (bool, int, float)):
        return repr(value)
    return function or str(value)


class Trace:
    """sch.trace: the primitives that were called. It prints as Python, and can be applied to another schedule."""

    def __init__(self, insts):
        self.insts = list(insts)

    @staticmethod
    def of(calls):
        return Trace(Instruction(*call) for call in calls)

    def as_python(self):
        names, counts, lines = {}, {}, []
        for one in self.insts:
            line = one.text(names)
            made = []
            for value in one.outputs:
                letter = "b" if isinstance(value, _native.BlockRV) else "l" if isinstance(value, _native.LoopRV) else "v"
                name = f"{letter}{counts.setdefault(letter, 0)}"
                counts[letter] += 1
                made.append(name)
                if _key(value):
                    names[_key(value)] = name
            several = isinstance(one.result, (list, tuple)) and len(made) == 1
            lines.append((", ".join(made) + ("," if several else "") + " = " if made else "") + line)
        return lines

    def apply_to_schedule(self, sch, remove_postproc=False, decision_provider=None):
        """The same calls on another schedule: what came of a call here stands for what comes of it there."""
        there = {}

        def of_it(value):
            if _key(value):
                return there.get(_key(value), value)
            return type(value)(of_it(one) for one in value) if type(value) in (list, tuple) else value

        for one in self.insts:
            if remove_postproc and one.name == "enter_postproc":
                break
            args, kwargs = [of_it(value) for value in one.args], {key: of_it(value) for key, value in one.kwargs.items()}
            if decision_provider and one.name.startswith("sample_"):
                kwargs["decision"] = decision_provider(one, args, kwargs, kwargs.get("decision"))
            result = getattr(sch, one.name)(*args, **kwargs)
            calls = getattr(getattr(sch, "_native", sch), "_calls", None)
            if calls:
                calls[-1] = (*calls[-1][:4], one.written)  # as it was written, with the text of its functions
            new = Instruction(one.name, one.args, one.kwargs, result, one.written).outputs
            for old, value in zip(one.outputs, new):
                if _key(old):
                    there[_key(old)] = value

    def simplified(self, remove_postproc=True):
        """Without what stands behind the mark that MetaSchedule makes."""
        kept = []
        for one in self.insts:
            if remove_postproc and one.name == "enter_postproc":
                break
            kept.append(one)
        return Trace(kept)

    def show(self, *_, **__):
        print(self)

    def __str__(self):
        return "\n".join(self.as_python())


class Pass:
    """A pass that was made: it runs when it is called with the module."""

    def __init__(self, name):
        self.name = name

    def __call__(self, *program):
        if len(program) != 1 or not isinstance(program[0], Program):
            raise InputError("a pass is called with the module: sch.mod")
        current().apply_pass(self.name)
        return current().mod


class IndexMap:
    AXIS_SEPARATOR = _native.AXIS_SEPARATOR

    def __init__(self, func):
        self.func = func

    @staticmethod
    def from_func(mapping_function, ndim=None, inverse_index_map=None, **_):
        return IndexMap(mapping_function)

    @staticmethod
    def from_func_with_separators(mapping_function, ndim=None, inverse_index_map=None, **_):
        return IndexMap(mapping_function)

    def __call__(self, *indices):
        return self.func(*indices)

    def map_indices(self, indices):
        return [one for one in self.func(*indices) if one is not IndexMap.AXIS_SEPARATOR]

    def map_ranges(self, ranges):
        """First index and extent of each output, for inputs in ranges of numbers: (first, extent)."""
        return _native.map_ranges(self.func, [tuple(one) for one in ranges])

    def map_shape(self, shape):
        found = self.map_ranges([(0, extent) for extent in shape])
        if any(first < 0 for first, _ in found):
            raise InputError("an output is negative: no shape has such an index", "map_ranges says where outputs lie")
        return [first + extent for first, extent in found]

    def is_bijective(self, shape):
        """Does each cell of the smallest box around the image hold the value of one index?"""
        return not _native.inverse_map(self.func, list(shape))[1]

    def inverse(self, shape):
        text, padding = _native.inverse_map(self.func, list(shape))
        if padding:
            raise InputError(f"not bijective: no index goes where {padding}", "non_surjective_inverse says so, too")
        return IndexMap(eval(text, dict(GLOBALS)))

    def non_surjective_inverse(self, shape):
        """The inverse, and of a cell (of numbers): does no index go there?"""
        text, padding = _native.inverse_map(self.func, list(shape))
        predicate = eval(padding, dict(GLOBALS)) if padding else lambda *_: [False]
        return IndexMap(eval(text, dict(GLOBALS))), lambda *cell: predicate(*cell)[0]


class TensorIntrin:
    """Descriptions for `tensorize`, by their names: TVMScript, as text or as what has `script()`."""

    _known = {}

    def __init__(self, name, desc):
        self.name, self.desc = name, desc

    @staticmethod
    def register(name, desc, impl=None, override=False):
        text = desc if isinstance(desc, str) else desc.script()
        _native.register_intrinsic(name, text, override)
        TensorIntrin._known[name] = TensorIntrin(name, text)
        return TensorIntrin._known[name]

    @staticmethod
    def get(name, allow_missing=False):
        if name not in TensorIntrin._known and not allow_missing:
            raise InputError(f"no intrinsic '{name}' is registered")
        return TensorIntrin._known.get(name)


def _schedule(*program, **_):
    return current()


def _const(value, dtype=None):
    return value if dtype is None else _native.constant(dtype, value)


FUNCTIONS = {name: getattr(_native, name) for name in _native.functions}
FUNCTIONS.update(Schedule=_schedule, const=_const, IndexMap=IndexMap, TensorIntrin=TensorIntrin)


class Names(types.ModuleType):
    """`tvm`, `tir`, `T`, ...: what schedules use of them; any other name may be passed on, and not be called."""

    __path__ = []

    def __init__(self, path):
        super().__init__(path)
        self.__dict__["_path"] = path

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        path = self._path
        short = path[4:] if path.startswith("tvm.") else path
        if name == "AXIS_SEPARATOR":
            return IndexMap.AXIS_SEPARATOR
        if short in ("te", "topi"):
            raise MissingError(f"'{short}.{name}' is not supported")
        if short.endswith("transform") and name in _native.passes:
            value = lambda *arguments, **keywords: _pass(name, arguments, keywords)
        elif short in ("tir", "T", "script.tir", "runtime", "schedule", "tir.schedule") and name in FUNCTIONS:
            value = FUNCTIONS[name]
        elif name in DTYPES:
            value = lambda value: _native.constant(name, value)
        elif path == "tvm" and name == "script" or short == "script" and name in ("tir", "ir"):
            value = import_names(f"{path}.{name}")
        else:
            value = import_names(f"{path}.{name}")
        self.__dict__[name] = value
        return value

    def __call__(self, *_, **__):
        path = self._path[4:] if self._path.startswith("tvm.") else self._path
        if path in ("T.prim_func", "script.tir.prim_func", "script.ir_module", "script.ir.ir_module"):
            raise UnsupportedError("a schedule holds no program", "programs are files of their own: hexproof apply FILE SCHEDULE")
        raise UnsupportedError(f"'{path}(...)' is not read in schedules")

    def __repr__(self):
        return f"<hexproof's {self._path}>"


def _pass(name, arguments, keywords):
    if arguments or keywords:
        raise UnsupportedError(f"arguments of the pass '{name}'")
    return Pass(name)


_names = {}


def import_names(path):
    if path not in _names:
        _names[path] = Names(path)
    return _names[path]


class Finder:
    """Serves `import tvm` and what is below it."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name != "tvm" and not name.startswith("tvm."):
            return None
        from importlib.machinery import ModuleSpec

        return ModuleSpec(name, Finder, is_package=True)

    @staticmethod
    def create_module(spec):
        return import_names({"tvm.script.tir": "T"}.get(spec.name, spec.name))

    @staticmethod
    def exec_module(module):
        pass


import_names("tvm").__dict__.update(tir=import_names("tvm.tir"), te=import_names("tvm.te"), topi=import_names("tvm.topi"))
import_names("tvm.script").__dict__.update(tir=import_names("T"))
# What needs no import.
GLOBALS = {name: import_names(path) for name, path in
           {"tvm": "tvm", "tir": "tvm.tir", "te": "tvm.te", "topi": "tvm.topi", "T": "T"}.items()}
GLOBALS["IndexMap"] = IndexMap


def run(code, path, schedule):
    """Runs the code of a schedule."""
    program = schedule.mod
    space = {"__name__": "__main__", "__file__": path, "__builtins__": __builtins__, **GLOBALS}
    space.update({name: program for name in ("Module", "MyModule", "mod", "func", *schedule._functions())})
    space["sch"] = schedule
    _running.append(schedule)
    try:
        _execute(code, path, space)
    finally:
        _running.pop()
        _native.end(schedule)
        space.clear()


def _execute(code, path, space):
    """Runs code with TVM's imports served, and with the folder of the file for its own."""
    serve = "tvm" not in sys.modules  # the real one, when the process has it
    before = list(sys.path), list(sys.argv)
    folder = _folder(path)
    if folder is not None:
        sys.path.insert(0, folder)
    sys.argv[:] = [path]
    if serve:
        sys.meta_path.insert(0, Finder)
    try:
        exec(code, space)
    finally:
        if serve:
            sys.meta_path.remove(Finder)
            for name in [name for name in sys.modules if name == "tvm" or name.startswith("tvm.")]:
                if isinstance(sys.modules[name], Names):
                    del sys.modules[name]
        sys.path[:], sys.argv[:] = before


def _folder(path):
    import os

    return os.path.dirname(os.path.abspath(path)) if os.path.isfile(path) else None
