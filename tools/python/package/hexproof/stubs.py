"""Type stubs of the package, made from the table of primitives: `hexproof python -m hexproof.stubs FOLDER`."""
import inspect
import pathlib
import sys

import hexproof
from hexproof import _hexproof

TYPES = {
    "block": "BlockRV | LoopRV | str", "loop": "LoopRV", "loops": "LoopRV | Sequence[LoopRV]", "ordered_loops": "LoopRV | Sequence[LoopRV]",
    "factors": "Sequence[int | None]", "name": "str", "func_name": "str | None", "index": "int | None", "count": "int",
    "index_map": "Callable[..., Any] | IndexMap", "buffer": "str | int | tuple[str, int]", "storage_scope": "str",
    "read_buffer_index": "str | int | tuple[str, int]", "write_buffer_index": "str | int | tuple[str, int]", "tensor_intrin": "str",
    "block_or_loop": "BlockRV | LoopRV", "preserve_unit_iters": "bool", "preserve_unit_loops": "bool",
    "flip": "int | None", "assume_injective_transform": "bool", "clamp": "bool", "shape": "Sequence[int] | None", "out_of": "LoopRV | None",
}
RESULTS = {
    "get_block": "BlockRV", "cache_read": "BlockRV", "cache_write": "BlockRV", "decompose_reduction": "BlockRV", "get_loop": "LoopRV",
    "fuse": "LoopRV", "merge": "LoopRV", "merge_adjacent_loops": "LoopRV", "get_loops": "list[LoopRV]", "get_child_loops": "list[LoopRV]",
    "blockize": "BlockRV", "reindex": "BlockRV", "reindex_cache_read": "BlockRV", "reindex_cache_write": "BlockRV", "rfactor": "BlockRV",
    "cache_inplace": "list[BlockRV]", "cache_index": "list[BlockRV]", "loop_partition": "list[LoopRV]",
    "decompose_padding": "BlockRV", "add_unit_loop": "LoopRV", "sample_compute_location": "LoopRV", "copy": "Schedule",
    "split": "list[LoopRV]", "split_sum": "list[BlockRV]", "distribute": "list[LoopRV]", "sequential_buffer_access": "list[LoopRV]", "suggest_pad_value": "list[Any]",
}
HEAD = '''# Made by `hexproof python -m hexproof.stubs` from the table of primitives.
from typing import Any, Callable, Sequence

class BlockRV:
    name: str
class LoopRV:
    name: str

'''


def _default(value):
    return value is not inspect.Parameter.empty


def _parameter(p):
    kind = TYPES.get(p.name, "Any")
    if p.name == "loop" and _default(p.default):
        kind = "LoopRV | None"
    if p.name in ("shape", "index_map") and _default(p.default):
        kind += " | None"
    star = "*" if p.kind is p.VAR_POSITIONAL else ""
    return f"{star}{p.name}: {kind}" + (" = ..." if _default(p.default) else "")


def text():
    out = HEAD
    for name in ("Error", "InputError", "UnsupportedError", "RefutedError", "UndecidedError", "InternalError"):
        base = {"Error": "Exception", "InternalError": "BaseException"}.get(name, "Error")
        out += f"class {name}({base}):\n    file: str\n    line: int\n    column: int\n    hint: str\n    report: Any\n"
    out += "class IndexMap:\n    AXIS_SEPARATOR: Any\n    @staticmethod\n    def from_func(mapping_function: Callable[..., Any], *args: Any, **kwargs: Any) -> IndexMap: ...\n"
    out += "tvm: Any\ntir: Any\nte: Any\ntopi: Any\nT: Any\n"
    out += "class Report:\n    verdict: str\n    def __bool__(self) -> bool: ...\n    def __getattr__(self, name: str) -> Any: ...\n    def to_dict(self) -> dict[str, Any]: ...\n"
    out += "class Reports(list[Report]):\n    verdict: str\n    worst: Report\n    def __bool__(self) -> bool: ...\n    def __getattr__(self, name: str) -> Any: ...\n    def to_dict(self) -> dict[str, Any]: ...\n"
    out += "class Layout(Report):\n    svg: str\n    picture: str\n"
    out += "class Step:\n    rule: str\n    primitive: str\n    before: str\n    after: str\n    obligations: int\n    def diff(self) -> str: ...\n    def to_dict(self) -> dict[str, Any]: ...\n"
    out += "class Program:\n    functions: list[str]\n    def script(self) -> str: ...\n    def show(self) -> None: ...\n"
    out += "class Certificate:\n    verdict: str\n    says: list[str]\n    files: dict[str, bytes]\n    summary: str\n    def __bool__(self) -> bool: ...\n    def save(self, folder: Any) -> None: ...\n    def to_dict(self) -> dict[str, Any]: ...\n"
    results = {"parse": "Program", "read": "Program", "check": "Report | Reports", "equiv": "Report | Reports", "apply": "Program", "certify": "Certificate", "session": "None",
               "layout": "Layout", "verify": "Report", "explain": "str"}
    results.update(dict.fromkeys(set(hexproof._BY_COMMAND) - set(results), "Report"))
    for name in ("parse", "read", "check", "equiv", "apply", "certify", "run", "layout", "verify", "session", *hexproof._BY_COMMAND):
        parameters = [str(p).replace(p.name, f"{p.name}: Any", 1).replace("=", " = ... #").split("#")[0].rstrip()
                      for p in inspect.signature(getattr(hexproof, name)).parameters.values()]
        out += f"def {name}({', '.join(parameters)}) -> {results.get(name, 'Any')}: ...\n"
    out += "class Schedule:\n    def __init__(self, program: Any, function: str = ..., **_: Any) -> None: ...\n    mod: Program\n    trace: Any\n    steps: list[Step]\n"
    out += "    def certify(self, target: str = ..., out: Any = ..., cpu: str = ..., seed: int = ..., run: bool = ..., trust_rules: bool = ...) -> Certificate: ...\n"
    for name in sorted(dir(_hexproof.Schedule)):
        method = getattr(_hexproof.Schedule, name)
        if name.startswith("_") or not inspect.isroutine(method):
            continue
        if name in ("copy", "show"):  # no rows of the table
            out += f"    def {name}(self) -> {RESULTS.get(name, 'None')}: ...\n"
            continue
        parameters = [p for p in inspect.signature(method).parameters.values() if p.name != "self"]
        words = ["self"] + [_parameter(p) for p in parameters]
        out += f"    def {name}({', '.join(words)}) -> {RESULTS.get(name, 'None')}: ...\n"
    return out


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1]) / "hexproof"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "__init__.pyi").write_text(text())
