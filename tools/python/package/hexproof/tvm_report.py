"""What became of TVM's passes: a table, JSON and JUnit."""
import json
from xml.sax.saxutils import escape, quoteattr

#: In the order of a summary. "unchanged": the text is the same; "by its parts": passes inside of it did all of it.
KINDS = ("rejected", "refuted", "undecided", "vacuous", "unsupported", "proved", "unchanged", "by its parts")
EXIT_CODES = {"refuted": 10, "rejected": 12, "undecided": 5, "vacuous": 11, "unsupported": 13}


class Report:
    """`passes`: a dictionary for each application, in the order in which they ran."""

    def __init__(self, passes):
        self.passes = passes

    @property
    def counts(self):
        all_ = [p["verdict"] for p in self.passes]
        return {kind: all_.count(kind) for kind in KINDS if kind in all_}

    @property
    def refuted(self):
        return [p for p in self.passes if p["verdict"] in ("refuted", "rejected")]

    @property
    def verdict(self):
        """The worst that there was; of nothing but pairs that need no proof: proved. Where nothing was judged: undecided."""
        return next((kind for kind in KINDS[:5] if kind in self.counts), "proved" if self.passes else "undecided")

    def __bool__(self):
        return self.verdict == "proved"

    def by_pass(self):
        """Of each pass by its name, how often it came to which verdict."""
        out = {}
        for one in self.passes:
            counts = out.setdefault(one["name"], {})
            counts[one["verdict"]] = counts.get(one["verdict"], 0) + 1
        return out

    def __str__(self):
        lines = [f"hexproof: {len(self.passes)} applications: " + (", ".join(f"{n} {kind}" for kind, n in self.counts.items()) or "none")]
        width = max(map(len, self.by_pass()), default=0)
        for name, counts in self.by_pass().items():
            lines.append(f"  {name:{width}}  " + ", ".join(f"{counts[kind]} {kind}" for kind in KINDS if kind in counts))
        for one in self.passes:
            if one["verdict"] in ("refuted", "rejected"):
                lines.append(f"\n{one['verdict']}: {one['name']}" + (f" in {one['where']}" if one["where"] else ""))
                lines += ["  " + line for line in one["reason"].splitlines()]
        return "\n".join(lines)

    __repr__ = __str__

    def to_dict(self):
        return {"schema_version": 1, "command": "tvm", "verdict": self.verdict, "exit_code": EXIT_CODES.get(self.verdict, 0),
                "counts": self.counts, "passes": self.passes}

    def save(self, json_file=None, junit=None):
        if json_file is not None:
            _write(json_file, json.dumps(self.to_dict(), indent=1) + "\n")
        if junit is not None:
            _write(junit, self.to_junit())

    def to_junit(self):
        """One test case an application: refuted is a failure, open an error, unsupported skipped."""
        cases, counts = [], {"failure": 0, "error": 0, "skipped": 0}
        for number, one in enumerate(self.passes, 1):
            kind = {"refuted": "failure", "rejected": "failure", "undecided": "error", "vacuous": "error", "unsupported": "skipped"}.get(one["verdict"])
            head = f"  <testcase classname={_quoted(one['where'] or one['kind'])} name={_quoted(str(number) + ' ' + one['name'])}"
            if kind is None:
                cases.append(head + "/>")
                continue
            counts[kind] += 1
            first = (one["reason"] or one["verdict"]).splitlines()[0]
            cases.append(f"{head}>\n    <{kind} message={_quoted(one['verdict'] + ': ' + first)}>{escape(_plain(one['reason']))}</{kind}>\n  </testcase>")
        return ('<?xml version="1.0" encoding="UTF-8"?>\n'
                f'<testsuite name="hexproof.tvm" tests="{len(cases)}" failures="{counts["failure"]}" errors="{counts["error"]}" '
                f'skipped="{counts["skipped"]}">\n' + "".join(case + "\n" for case in cases) + "</testsuite>\n")


def _plain(text):
    """Without what XML cannot hold."""
    return "".join(c if c in "\n\t" or " " <= c and not 0xD800 <= ord(c) < 0xE000 and c not in "\ufffe\uffff" else " " for c in text)


def _quoted(text):
    return quoteattr(_plain(text), {"\n": "&#10;"})


def _write(path, text):
    """As a whole or not at all, where a file stands or none; to what is no file it is written."""
    from hexproof import _hexproof
    _hexproof.write_file(str(path), text)
