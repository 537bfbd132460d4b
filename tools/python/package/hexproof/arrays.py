"""Programs that run on numpy arrays, which must be just what a buffer holds: nothing is converted in silence."""
from hexproof import _hexproof
from hexproof._hexproof import InputError, RefutedError, UndecidedError


def _bytes_of(array, parameter, sizes):
    import numpy as np
    name, dtype, _, shape = parameter
    if dtype == "bfloat16" or "x" in dtype:
        raise InputError(f"'{name}' holds {dtype}, which numpy has not: run it with --input of the command, or on another dtype")
    if not isinstance(array, np.ndarray):
        raise InputError(f"'{name}' takes a numpy array, not {type(array).__name__}: numpy.asarray(x, dtype=numpy.{dtype})")
    if isinstance(array, np.ma.MaskedArray):
        raise InputError(f"'{name}' takes an array without a mask: x.filled(...)")
    if array.dtype.newbyteorder("=") == np.dtype(dtype) and not array.dtype.isnative:
        raise InputError(f"'{name}' has the bytes of another machine ({array.dtype.str}): x.astype(numpy.{dtype})")
    if array.dtype != np.dtype(dtype):
        raise InputError(f"'{name}' holds {dtype}, not {array.dtype}: x.astype(numpy.{dtype})")
    if len(shape) != array.ndim:
        raise InputError(f"'{name}' has the shape ({_shape(shape)}), not {array.shape}: {_reshaped(shape, array)}")
    for extent, size in zip(shape, array.shape):
        if extent.isdigit() and int(extent) != size:
            raise InputError(f"'{name}' has the shape ({_shape(shape)}), not {array.shape}: {_reshaped(shape, array)}")
        if extent.isidentifier() and sizes.setdefault(extent, (size, name))[0] != size:
            raise InputError(f"'{name}' has the shape ({_shape(shape)}) where {extent} = {size}, but {extent} = {sizes[extent][0]} in '{sizes[extent][1]}'")
    if not array.flags.c_contiguous:
        raise InputError(f"'{name}' is not in C order: numpy.ascontiguousarray(x)")
    if not array.flags.writeable:
        raise InputError(f"'{name}' may not be written: x.copy()")
    return dtype, list(array.shape), array.tobytes()


def _shape(shape):
    return ", ".join(shape) + ("," if len(shape) == 1 else "")


def _reshaped(shape, array):
    """How to convert it, where that is plain."""
    known = [int(s) for s in shape if s.isdigit()]
    total = 1
    for size in known:
        total *= size
    if len(known) == len(shape) and total == array.size:
        if len(shape) == array.ndim == 2 and known[::-1] == list(array.shape):
            return "numpy.ascontiguousarray(x.T), or x.reshape(" + _shape(shape) + ")"
        return f"x.reshape({_shape(shape)})"
    return f"it has {array.size} elements" + (f", not {total}" if len(known) == len(shape) else "")


def _number(scalar):
    """A number of numpy's as Python's own."""
    return scalar.item() if hasattr(scalar, "item") else scalar


def run(program, arrays, backend, function, scalars, cpu, assert_static, limits):
    import numpy as np
    if backend not in ("interpreter", "host", "hexagon"):
        raise InputError(f"a backend is interpreter, host or hexagon, not {backend!r}")
    buffers = [p for p in _hexproof.parameters(program._native, function, limits) if p[2]]
    if len(arrays) != len(buffers):
        raise InputError(f"{len(buffers)} arrays are needed ({', '.join(p[0] for p in buffers)}), not {len(arrays)}")
    sizes = {}
    given = [_bytes_of(array, parameter, sizes) for array, parameter in zip(arrays, buffers)]
    ran = _hexproof.run(program._native, given, backend, function, [_number(s) for s in scalars], cpu, assert_static, limits)
    if ran["verdict"] != "proved":
        from hexproof import Report
        checked = ran["checked"]
        refuted = ran["verdict"] == "refuted"
        error = RefutedError(ran["error"] or checked["counterexample"]) if refuted else UndecidedError(checked["reason"] or ran["verdict"])
        if "_asked" in checked:  # of what is compiled: it is checked first
            error.report = Report(checked)
        raise error
    for k, one in enumerate(arrays):  # one array for two arguments is fine where neither is written
        for j in range(k):
            if np.may_share_memory(one, arrays[j]) and not (given[k][2] == ran["tensors"][k][2] and given[j][2] == ran["tensors"][j][2]):
                raise InputError(f"'{buffers[k][0]}' shares memory with '{buffers[j][0]}', and one of them is written: x.copy()")
    for array, (dtype, _, data, _) in zip(arrays, ran["tensors"]):
        array[...] = np.frombuffer(data, dtype=dtype).reshape(array.shape)
    return arrays
