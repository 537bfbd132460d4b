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
