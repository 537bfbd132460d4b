"""What of TVM's interface hexproof.tvm uses: modules, passes, contexts with instruments, schedules.

`make(version)` gives a module `tvm` whose `pass_instrument` wraps a class as 0.14 does ("0.14"), or as later ones do.
Programs are texts; a pass is a function on texts.
"""
import inspect
import types


class IRModule:
    def __init__(self, text):
        self.text = text

    def script(self, *_, **__):
        if self.text is None:
            raise RuntimeError("this has no script")
        return self.text


class PassInfo:
    def __init__(self, name):
        self.name, self.opt_level, self.required = name, 0, []


class _Node:
    """What the other side of the interface holds: functions, or nothing."""

    def __init__(self, name, **functions):
        self.name, self.functions = name, functions

    def call(self, which, *arguments):
        return self.functions[which](*arguments) if self.functions.get(which) else None


METHODS = ("enter_pass_ctx", "exit_pass_ctx", "should_run", "run_before_pass", "run_after_pass")


class PassInstrument:
    node = None

    def __init__(self):
        own = {m: getattr(self, m) for m in METHODS if getattr(type(self), m) is not getattr(PassInstrument, m)}
        self.node = _Node(type(self).__name__, **own)

    def enter_pass_ctx(self): ...
    def exit_pass_ctx(self): ...
    def should_run(self, mod, info): ...
    def run_before_pass(self, mod, info): ...
    def run_after_pass(self, mod, info): ...


def _later(cls):
    class Made(cls, PassInstrument):
        def __init__(self, *args, **kwargs):
            cls.__init__(self, *args, **kwargs)
            PassInstrument.__init__(self)

    return Made


def _of_0_14(cls):
    class Made(PassInstrument):
        def __init__(self, *args, **kwargs):
            inst = cls(*args, **kwargs)
            own = {m: getattr(inst, m) for m in METHODS if hasattr(inst, m) and inspect.ismethod(getattr(inst, m))}
            self.node, self._inst = _Node(cls.__name__, **own), inst

        def __getattr__(self, name):
            return getattr(self.__dict__["_inst"], name)

    return Made


class PassContext:
    _stack = []

    def __init__(self, opt_level=2, required_pass=None, disabled_pass=None, instruments=None, config=None):
        for one in instruments or []:
            if not isinstance(one, PassInstrument) or one.node is None:
                raise TypeError("an instrument is a PassInstrument")
        self.instruments = list(instruments or [])

    def override_instruments(self, instruments):
        self.instruments = list(instruments)

    def __enter__(self):
        PassContext._stack.append(self)
        for one in self.instruments:
            one.node.call("enter_pass_ctx")
        return self

    def __exit__(self, *_):
        for one in self.instruments:
            one.node.call("exit_pass_ctx")
        PassContext._stack.pop()

    @staticmethod
    def current():
        return PassContext._stack[-1]


class Pass:
    def __init__(self, name, function):
        self.info, self.function = PassInfo(name), function

    def __call__(self, mod):
        instruments = PassContext.current().instruments
        for one in instruments:
            one.node.call("run_before_pass", mod, self.info)
        mod = self.function(mod)
        for one in instruments:
            one.node.call("run_after_pass", mod, self.info)
        return mod


def replace(name, old, new):
    return Pass(name, lambda mod: IRModule(mod.text.replace(old, new)))


def Sequential(passes, name="sequential"):
    def all_of_them(mod):
        for one in passes:
            mod = one(mod)
        return mod

    return Pass(name, all_of_them)


class Schedule:
    def __init__(self, mod):
        self.mod = mod

    def get_block(self, name):
        return name

    def substitute(self, old, new):
        self.mod = IRModule(self.mod.text.replace(old, new))
        return self.get_block("B")

    def twice(self, old, new):
        self.substitute(old, "$")
        self.substitute("$", new)

    def refuse(self):
        raise ValueError("refused")


def make(version="0.14"):
    tvm = types.ModuleType("tvm")
    decorate = _of_0_14 if version == "0.14" else _later
    instrument = types.SimpleNamespace(pass_instrument=decorate, PassInstrument=PassInstrument)
    tvm.ir = types.SimpleNamespace(instrument=instrument)
    if version == "0.14":
        tvm.instrument = instrument
    PassContext._stack[:] = [PassContext()]
    tvm.transform = types.SimpleNamespace(PassContext=PassContext, Sequential=Sequential)
    setattr(tvm, "tir" if version == "0.14" else "s_tir", types.SimpleNamespace(Schedule=Schedule))
    return tvm
