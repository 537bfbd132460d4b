# TVM's names, and the run of a schedule's code among them.

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


class Pass:
    """A pass that was made: it runs when it is called with the module."""

    def __init__(self, name):
        self.name = name

    def __call__(self, *program):
        if len(program) != 1 or not isinstance(program[0], Program):
            raise InputError("a pass is called with the module: sch.mod")
        current().apply_pass(self.name)
        return current().mod


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
    """Runs code with TVM's imports served, and with the folder of the file for its own. Where it goes, we stay."""
    import os

    here = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    serve = "tvm" not in sys.modules  # the real one, when the process has it
    before = list(sys.path), list(sys.argv)
    folder = _folder(path)
    if folder is not None:
        sys.path.insert(0, folder)
    sys.argv[:] = [path]
    _executing.append(path)
    if serve:
        sys.meta_path.insert(0, Finder)
    try:
        exec(code, space)
    finally:
        _executing.pop()
        if serve:
            sys.meta_path.remove(Finder)
            for name in [name for name in sys.modules if name == "tvm" or name.startswith("tvm.")]:
                if isinstance(sys.modules[name], Names):
                    del sys.modules[name]
        sys.path[:], sys.argv[:] = before
        os.fchdir(here)
        os.close(here)


def _folder(path):
    import os

    return os.path.dirname(os.path.abspath(path)) if os.path.isfile(path) else None


_executing = []  # the files whose code runs, the innermost last
_read = {}  # the paths that it opened to read, in the order of time
_installed = ()  # folders of what is installed with Python


def watch_files():
    """From now on, notes which files code of ours opens to read, also to import them."""
    import os

    global _installed
    _installed = tuple(os.path.join(os.path.realpath(one), "") for one in sys.path)

    def note(event, arguments):
        if not _executing or event not in ("open", "import"):
            return
        path, reads = arguments[0], True
        if event == "open":
            mode, flags = arguments[1:]
            reads = "r" in mode or "+" in mode if mode else flags & os.O_ACCMODE != os.O_WRONLY
        else:
            path = arguments[1]  # of what is a library
        if reads and isinstance(path, (str, bytes, os.PathLike)):
            try:
                _read.setdefault(os.path.abspath(os.fsdecode(path)))
            except OSError:
                pass  # the current folder is gone

    sys.addaudithook(note)


def files_read():
    """The paths of what was read, as bytes; of what was compiled before, its source."""
    import os
    from importlib.util import source_from_cache

    found = set()
    for path in _read:
        if path.endswith(".pyc"):
            try:
                source = source_from_cache(path)
                path = source if os.path.isfile(source) else path
            except ValueError:
                pass
        if os.path.isfile(path) and not os.path.realpath(path).startswith(_installed):
            found.add(os.fsencode(path))
    return sorted(found)
