# Tensor expressions with TVM's names: what stands here calls the core in C++, `_native.te`.

_te = _native.te
_scripts = []  # what was lowered last
_schedules = []  # and the schedule that was made last

Tensor, IterVar, Reduce, Operation = _te.Tensor, _te.IterVar, _te.Reduce, _te.Operation


class Range:
    """What an axis runs over."""

    def __init__(self, minimum, extent):
        self.min, self.extent = minimum, extent

    def __repr__(self):
        return f"range(min={self.min}, ext={self.extent})"


class TensorSlice:
    """A tensor at the first of its indices: A[i] in A[i][j]."""

    def __init__(self, tensor, indices):
        self._tensor, self._indices = tensor, indices

    def __getitem__(self, index):
        return _at(self._tensor, self._indices + (index if isinstance(index, tuple) else (index,)))


def _at(tensor, indices):
    if any(isinstance(index, slice) for index in indices):
        raise UnsupportedError("slices of tensors are not read", "a te.compute over the cells of the slice")
    if len(indices) < tensor.ndim:
        return TensorSlice(tensor, indices)
    return tensor._cell(list(indices))


IterVar.dom = property(lambda self: None if self._dom is None else Range(*self._dom))
Tensor.__getitem__ = lambda self, index: _at(self, index if isinstance(index, tuple) else (index,))
Tensor.__call__ = lambda self, *indices: self._cell(list(indices))


def _shape(shape):
    return list(shape) if isinstance(shape, (list, tuple)) else [shape]


def placeholder(shape, dtype=None, name="placeholder"):
    _demand(name, str, "a name is a string")
    _demand(dtype or "", str, "a dtype is a string", '"int32"')
    return _te.placeholder(_shape(shape), dtype or "float32", name)


def _axis_names(function, count, names):
    if names is not None:
        return list(names)
    code = getattr(function, "__code__", None)
    if code is None:
        raise InputError("te.compute takes a function of the indices")
    given = list(code.co_varnames[: code.co_argcount - len(function.__defaults__ or ())])
    if code.co_flags & 0x4:  # *rest
        rest = code.co_varnames[code.co_argcount + code.co_kwonlyargcount]
        given += [f"{rest}{k}" for k in range(count - len(given))]
    if len(given) != count:
        raise InputError(f"the function takes {len(given)} indices, and the shape has {count} extents")
    return given


def compute(shape, fcompute, name="compute", tag="", attrs=None, varargs_names=None):
    _demand(name, str, "a name is a string", "te.compute(shape, function, name=\"C\")")
    extents = _shape(shape)
    names = _axis_names(fcompute, len(extents), varargs_names)
    axes = [_te.axis(n, extent) for n, extent in zip(names, extents)]
    result = fcompute(*[axis.var for axis in axes])
    several = isinstance(result, (list, tuple))
    tensors = _te.compute(name, axes, list(result) if several else [result])
    return tuple(tensors) if len(tensors) > 1 else tensors[0]


def scan(init, update, state_placeholder, inputs=None, name="scan", tag="", attrs=None):
    _demand(name, str, "a name is a string")
    several = isinstance(state_placeholder, (list, tuple))
    made = _te.scan(name, *[_scan_tensors(part) for part in (init, update, state_placeholder)])
    _scan_tensors(inputs or [])
    return list(made) if several else made[0]


def _scan_tensors(part):
    part = list(part) if isinstance(part, (list, tuple)) else [part]
    for one in part:
        _demand(one, Tensor, "a scan is made of tensors", "te.scan(init, update, state)")
    return part


def _scan_axis(op):
    axes = op._scan_axes
    if not axes:
        raise InputError(f"'{op.name}' is no scan", "te.scan makes one")
    return axes[0]


Operation.scan_axis = property(_scan_axis)


def reduce_axis(dom, name="rv", thread_tag="", span=None):
    if isinstance(dom, Range):
        dom = (dom.min, dom.min + dom.extent)
    if not isinstance(dom, (list, tuple)) or len(dom) != 2:
        raise InputError("an axis runs from a first to before a last index: (0, n)")
    _demand(name, str, "a name is a string")
    return _te.reduce_axis(dom[0], dom[1], name)


def thread_axis(dom=None, tag="", name="", span=None):
    return _te.thread_axis(_demand(dom if isinstance(dom, str) else tag, str, "a thread axis is named by a string"))


def var(name="tindex", dtype="int32", span=None):
    _demand(name, str, "a name is a string")
    _demand(dtype, str, "a dtype is a string", '"int32"')
    return _te.var(name, dtype)


size_var = var


def _axes(axis):
    return list(axis) if isinstance(axis, (list, tuple)) else [axis]


def _in_expression(*_):
    raise InputError("a reduction is the whole of what is computed: it may stand in no expression",
                     "a te.compute of its own for what is done with it")


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "radd", "rsub", "rmul", "rtruediv", "rfloordiv", "rmod", "neg"):
    setattr(Reduce, f"__{_name}__", _in_expression)


_expression = _te.expression


def _demand(value, kind, what, cure=None):
    if not isinstance(value, kind):
        raise InputError(f"{what}, not {value!r:.60}", *([cure] if cure else []))
    return value


def _known(kind):
    def reduce(expr, axis=None, where=None, init=None, *rest):
        if not isinstance(axis, (list, tuple, IterVar)) and kind in ("max", "min") and axis is not None:
            return getattr(_native, kind)(expr, axis)
        if axis is None:
            raise InputError(f"te.{kind} reduces over an axis", f"te.{kind}(expression, axis=k)")
        source = _expression(expr)
        start = [] if init is None else [init]
        return _te.reduce(_te.known_reducer(kind, source), [source], _axes(axis), where, start)[0]

    reduce.__name__ = kind
    return reduce


def comm_reducer(fcombine, fidentity, name="reduce"):
    def reducer(expr, axis, where=None, init=None, *rest):
        several = isinstance(expr, (list, tuple))
        sources = [_expression(e) for e in (expr if several else [expr])]
        dtypes = [e.dtype for e in sources]
        lhs, rhs = _te.operands("x", dtypes), _te.operands("y", dtypes)
        both = fcombine(tuple(lhs), tuple(rhs)) if several else fcombine(lhs[0], rhs[0])
        start = fidentity(*dtypes)
        results = list(both) if several else [both]
        identity = list(start) if isinstance(start, (list, tuple)) else [start]
        if len(results) != len(sources) or len(identity) != len(sources):
            raise InputError(f"the reducer '{name}' combines {len(sources)} values to {len(results)}, "
                             f"and starts at {len(identity)}")
        made = _te.reducer(name, lhs, rhs, results, identity)
        init_values = [] if init is None else (list(init) if isinstance(init, (list, tuple)) else [init])
        out = _te.reduce(made, sources, _axes(axis), where, init_values)
        return tuple(out) if several else out[0]

    return reducer


class Stage:
    """s[X]: how X is computed."""

    def __init__(self, record, id):
        self._record, self._id = record, id

    op = property(lambda self: self._record.op(self._id))
    leaf_iter_vars = property(lambda self: self._record.leaves(self._id))

    def split(self, parent, factor=None, nparts=None, disable_predication=False):
        return self._record.split(self._id, parent, factor, nparts)

    def tile(self, x_parent, y_parent, x_factor, y_factor):
        x_outer, x_inner = self._record.split(self._id, x_parent, x_factor, None)
        y_outer, y_inner = self._record.split(self._id, y_parent, y_factor, None)
        self._record.reorder(self._id, x_outer, y_outer, x_inner, y_inner)
        return x_outer, y_outer, x_inner, y_inner

    def fuse(self, *args):
        return self._record.fuse(self._id, *args)

    def reorder(self, *args):
        self._record.reorder(self._id, *args)

    def compute_at(self, parent, scope):
        if not isinstance(parent, Stage):
            raise InputError("compute_at takes a stage and one of its loops", "s[B].compute_at(s[C], loop)")
        if parent._record is not self._record:
            raise InputError("that is a stage of another schedule")
        self._record.compute_at(self._id, parent._id, scope)

    def compute_inline(self):
        self._record.compute_inline(self._id)

    def compute_root(self):
        self._record.compute_root(self._id)

    def unroll(self, var):
        self._record.note(self._id, "unroll", var, "", None)

    def vectorize(self, var):
        self._record.note(self._id, "vectorize", var, "", None)

    def parallel(self, var):
        self._record.note(self._id, "parallel", var, "", None)

    def bind(self, ivar, thread_ivar):
        thread = _demand(getattr(thread_ivar, "thread_tag", thread_ivar), str, "a loop is bound to a thread axis",
                         'te.thread_axis("threadIdx.x")')
        self._record.note(self._id, "bind", ivar, thread, None)

    def tensorize(self, var, tensor_intrin):
        if not isinstance(tensor_intrin, str):
            raise UnsupportedError("tensorize takes the name of an instruction", "the table in docs/hexagon.md")
        self._record.note(self._id, "tensorize", var, tensor_intrin, None)

    def pragma(self, var, pragma_type, pragma_value=None):
        _demand(pragma_type, str, "a pragma is named by a string")
        self._record.note(self._id, "pragma", var, pragma_type, pragma_value)

    def set_scope(self, scope):
        self._record.note(self._id, "set_scope", None, _demand(scope, str, "a scope is a string", '"local"'), None)

    def rolling_buffer(self):
        self._record.note(self._id, "rolling_buffer", None, "", None)

    def storage_align(self, axis, factor, offset):
        self._record.storage_align(self._id, axis, factor, offset)

    def double_buffer(self):
        self._record.note(self._id, "double_buffer", None, "", None)

    def prefetch(self, tensor, var, offset):
        raise UnsupportedError("prefetch is a hint to the caches of a machine, for which the language has no statement",
                               "cache_read loads what is needed; make_async on what comes out loads it ahead")

    def transform_layout(self, mapping_function):
        return self._record.transform_layout(self._id, mapping_function)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise MissingError(f"'{name}' of stages is not supported")


class TensorSchedule:
    """What te.create_schedule gives."""

    def __init__(self, ops):
        self._record = _te.ScheduleRecord(ops)
        self.outputs = ops

    def __getitem__(self, tensor):
        if isinstance(tensor, Tensor):
            return Stage(self._record, self._record.stage_of_tensor(tensor))
        if isinstance(tensor, Operation):
            return Stage(self._record, self._record.stage_of_op(tensor))
        raise InputError("a stage is asked for by its tensor: s[C]")

    stages = property(lambda self: [Stage(self._record, k) for k in self._record.order()])

    def cache_read(self, tensor, scope, readers):
        readers = readers if isinstance(readers, (list, tuple)) else [readers]
        readers = [r.op if isinstance(r, Tensor) else r for r in readers]
        _demand(tensor, Tensor, "a tensor is cached", 's.cache_read(A, "local", [B])')
        _demand(scope, str, "a scope is a string", 's.cache_read(A, "local", [B])')
        for reader in readers:
            _demand(reader, Operation, "the readers of a cache are tensors", 's.cache_read(A, "local", [B])')
        return self._record.cache_read(tensor, scope, readers)

    def cache_write(self, tensor, scope):
        several = isinstance(tensor, (list, tuple))
        for one in tensor if several else [tensor]:
            _demand(one, Tensor, "a tensor is cached", 's.cache_write(C, "local")')
        _demand(scope, str, "a scope is a string", 's.cache_write(C, "local")')
        made = self._record.cache_write(list(tensor) if several else [tensor], scope)
        return made if several else made[0]

    def rfactor(self, tensor, axis, factor_axis=0):
        _demand(tensor, Tensor, "a tensor is factored", "s.rfactor(B, loop)")
        _demand(factor_axis, int, "factor_axis is an integer")
        made = self._record.rfactor(tensor, axis, factor_axis)
        return tuple(made) if len(made) > 1 else made[0]

    def normalize(self):
        return self

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise MissingError(f"'{name}' of schedules of tensor expressions is not supported")


def _demand_script():
    if _running:
        raise UnsupportedError("tensor expressions stand in a script of their own, without a program beside it",
                               "hexproof apply SCRIPT")


def create_schedule(ops):
    _demand_script()
    ops = list(ops) if isinstance(ops, (list, tuple)) else [ops]
    ops = [op.op if isinstance(op, Tensor) else op for op in ops]
    if not ops or not all(isinstance(op, Operation) for op in ops):
        raise InputError("a schedule is one of operations", "te.create_schedule(C.op)")
    made = TensorSchedule(ops)
    _schedules[:] = [made]
    return made


def _tensors(args):
    args = list(args) if isinstance(args, (list, tuple)) else [args]
    if not all(isinstance(a, Tensor) for a in args):
        raise UnsupportedError("arguments that are no tensors", "sizes that shapes name are found by themselves")
    return args


def create_prim_func(ops, index_dtype_override=None):
    _demand_script()
    _scripts[:] = [_te.lower(None, _tensors(ops), "main")]
    return _scripts[-1]


def lower(inp, args=None, name="main", binds=None, simple_mode=False):
    _demand(name, str, "a name is a string")
    if not isinstance(inp, TensorSchedule):
        raise UnsupportedError("tvm.lower takes a schedule of tensor expressions", "tvm.lower(s, [A, B])")
    _scripts[:] = [_te.lower(inp._record, _arguments(inp) if args is None else _tensors(args), name)]
    return _scripts[-1]


def _arguments(schedule):
    """Placeholders in the order of their use, then the outputs."""
    inputs, seen, states = [], set(), []

    def visit(op):
        if id(op) not in seen:
            seen.add(id(op))
            states.extend(op._states)
            for tensor in op.input_tensors:
                visit(tensor.op)
                if not tensor.op.input_tensors and not tensor.op.body and tensor not in inputs + states:
                    inputs.append(tensor)

    for op in schedule.outputs:
        visit(op)
    return inputs + [op.output(k) for op in schedule.outputs for k in range(op.num_outputs)]


def _missing(name, cure):
    def refuse(*_, **__):
        raise UnsupportedError(f"te.{name} is not modelled", cure)

    return refuse


def _math(name):
    count = 2 if name in ("power", "fmod") else 1

    def function(*args):
        if len(args) < count:
            raise InputError(f"te.{name} takes {count} values, not {len(args)}")
        return _te.math(name, [_expression(a) for a in args[:count]])

    return function


TE = {"placeholder": placeholder, "compute": compute, "scan": scan, "reduce_axis": reduce_axis, "thread_axis": thread_axis, "var": var,
      "size_var": size_var, "comm_reducer": comm_reducer, "create_schedule": create_schedule,
      "create_prim_func": create_prim_func, "AXIS_SEPARATOR": _native.AXIS_SEPARATOR, "const": _const,
      "extern": _missing("extern", "te.compute says what is computed"),
      "tensor": Names("tvm.te.tensor"), "Tensor": Tensor, "IterVar": IterVar}
TE.update({name: _known(name) for name in ("sum", "max", "min", "prod")})
TE.update({name: FUNCTIONS[name] for name in ("if_then_else", "all", "any", "min_value", "max_value", "floordiv", "floormod",
                                              "truncdiv", "truncmod", "indexdiv", "indexmod")})
TE.update({name: _math(name) for name in ("exp", "erf", "tanh", "sigmoid", "log", "log2", "log10", "tan", "cos", "cosh", "sin",
                                          "sinh", "sqrt", "rsqrt", "floor", "ceil", "trunc", "abs", "round", "nearbyint",
                                          "power", "popcount", "fmod")})
import_names("tvm.te").__dict__.update(TE)
import_names("tvm").__dict__.update(lower=lower, const=_const)
# As before TVM 0.7.
import_names("tvm").__dict__.update({name: TE[name] for name in (
    "placeholder", "compute", "create_schedule", "reduce_axis", "thread_axis", "var", "sum", "comm_reducer", "if_then_else")})
for _name in ("te", "driver"):
    import_names("tvm").__dict__[_name] = import_names(f"tvm.{_name}")
import_names("tvm.driver").__dict__["lower"] = lower


def run_script(code, path):
    """Runs a script of tensor expressions; what it lowered last."""
    _scripts.clear()
    _schedules.clear()
    space = {"__name__": "__main__", "__file__": path, "__builtins__": __builtins__, **GLOBALS}
    try:
        _execute(code, path, space)
        if _scripts:
            return _scripts[-1]
        if not _schedules:
            raise InputError("the script makes no schedule and no program", "tvm.lower(s, [A, B]) at its end says which")
        last = _schedules[-1]
        return _te.lower(last._record, _arguments(last), "main")
    finally:
        _scripts.clear()
        _schedules.clear()
        space.clear()
