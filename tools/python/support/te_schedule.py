# Schedules of tensor expressions, what they are lowered to, and the names under which scripts find all of it.


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
