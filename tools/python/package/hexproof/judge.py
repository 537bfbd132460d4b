"""Pairs of programs, judged by `equiv` in processes of their own: what breaks there breaks nothing here.

Run as a program, this is one such process: a line of JSON in, a line of JSON out.
"""
import atexit
import contextlib
import hashlib
import json
import os
import queue
import subprocess
import sys
import threading
import weakref
from concurrent.futures import Future

#: From worst to best: of a module the worst of its functions.
VERDICTS = ("rejected", "refuted", "undecided", "vacuous", "unsupported", "proved")


def judge(before, after, rlimit, budget, fp=""):
    """What `equiv` finds of two texts, function by function, as a dictionary. Raises nothing of hexproof's."""
    import hexproof

    hexproof.session(rlimit=rlimit, jobs=1, budget=budget)
    programs = []
    for text, side in ((before, "before"), (after, "after")):
        try:
            programs.append(hexproof.parse(text, side, fp))
        except hexproof.Error as e:
            return {"verdict": "unsupported", "reason": f"the program {side} is not read: {e}", "functions": []}
    names = [set(p.functions) for p in programs]
    functions = []
    if names[0] == names[1]:
        functions = _compared(programs, "")
    else:  # what there is on one side only is no reason to pass over the rest
        for name in programs[0].functions:
            functions += _compared(programs, name) if name in names[1] else [_unsupported(name, f"there is no '{name}' after")]
        functions += [_unsupported(name, f"there is no '{name}' before") for name in programs[1].functions if name not in names[0]]
    worst = min(functions, key=lambda f: VERDICTS.index(f["verdict"]), default=_unsupported("", "there is no function"))
    return {"verdict": worst["verdict"], "reason": worst["counterexample"] or worst["reason"], "functions": functions}


def _compared(programs, function):
    import hexproof

    try:
        reports = hexproof.equiv(*programs, function=function)
    except hexproof.UndecidedError as e:
        return [{**_unsupported(function, str(e)), "verdict": "undecided"}]
    except hexproof.Error as e:
        return [_unsupported(function, str(e))]
    return [r.to_dict() for r in (reports if isinstance(reports, list) else [reports])]


def _unsupported(function, reason):
    return {"before": function, "after": function, "verdict": "unsupported", "method": "", "reason": reason,
            "counterexample": "", "evidence": []}


def serve():
    """Answers one line by one line, until there are no more. What is printed on the way is no answer."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        answers.write(json.dumps(judge(**json.loads(line))) + "\n")
        answers.flush()


def _command():
    """The Python that runs, with this package: an ordinary one, or `hexproof python`."""
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [folder, os.environ.get("PYTHONPATH")]))}
    ordinary = [sys.executable] if sys.executable else [os.path.realpath("/proc/self/exe"), "python"]
    return [*ordinary, "-m", "hexproof.judge"], environment


class Pool:
    """Judges pairs in at most `jobs` processes. A pair that was asked for before is not judged again."""

    def __init__(self, jobs=0, rlimit=20_000_000, budget=120.0, fp=""):
        import hexproof

        hexproof._demand_limits(rlimit, jobs, budget)
        self.jobs = jobs or os.cpu_count() or 1
        self._options = {"rlimit": rlimit, "budget": budget, "fp": fp}
        self._tasks, self._known, self._threads, self._processes = queue.SimpleQueue(), {}, [], set()
        self._closed = False
        atexit.register(_close, weakref.ref(self))

    def submit(self, before, after):
        """A Future of what `judge` gives. No exception ever comes of it."""
        key = hashlib.sha256(f"{len(before)} {before}{after}".encode("utf-8", "replace")).digest()
        future = self._known.get(key)
        if future is None:
            future = self._known[key] = Future()
            self._tasks.put((before, after, future))
            if len(self._threads) < self.jobs:
                thread = threading.Thread(target=self._work, daemon=True)
                self._threads.append(thread)
                thread.start()
        return future

    def close(self):
        """Ends the processes. What is not judged by then is undecided."""
        self._closed = True
        for _ in self._threads:
            self._tasks.put(None)
        for process in list(self._processes):
            process.kill()

    def _work(self):
        process = None
        while (task := self._tasks.get()) is not None:
            before, after, future = task
            try:
                if self._closed:
                    raise RuntimeError("the pool is closed")
                if process is None or process.poll() is not None:
                    process = self._start()
                answer = self._ask(process, {"before": before, "after": after, **self._options})
            except Exception as e:  # no process, no memory, ...: the pair is counted, and nobody is disturbed
                answer = _lost(f"it was not judged: {type(e).__name__}: {e}")
            future.set_result(answer)
        if process is not None:
            self._end(process)

    def _end(self, process):
        self._processes.discard(process)
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):  # what was not read
                stream.close()

    def _start(self):
        command, environment = _command()
        # (A session of its own: Ctrl-C is for the one who asks, and ends us through him.)
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                   env=environment, start_new_session=True)
        self._processes.add(process)
        return process

    def _ask(self, process, task):
        backstop = threading.Timer(2 * self._options["budget"] * (1 + task["before"].count("def ")) + 30, process.kill)
        backstop.start()
        try:
            process.stdin.write(json.dumps(task) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        finally:
            backstop.cancel()
        if not line:
            self._end(process)
            return _lost(f"the process that judged it ended with {process.returncode}")
        return json.loads(line)


def _lost(reason):
    return {"verdict": "undecided", "reason": reason, "functions": []}


def _close(pool):
    if (pool := pool()) is not None:
        pool.close()


if __name__ == "__main__":
    serve()
