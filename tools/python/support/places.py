# Where in the text of a schedule things stand.


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
