# The primitives that were called, as sch.trace gives them.


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
