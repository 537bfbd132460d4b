"""The hooks of `pytest -p hexproof.tvm`: every pass and every primitive that the tests run is judged.

What is refuted makes the run fail, though no single test; --hexproof-report-only leaves the exit code alone.
"""
import functools
import sys

#: What reads a schedule, or takes no part in what its program computes.
READERS = {"get_block", "get_sblock", "get_loops", "get_child_blocks", "get_producers", "get_consumers", "get_output_blocks", "get", "get_sref",
           "get_children", "can_decompose_padding", "copy", "fork_seed", "seed", "show", "remove_rv", "work_on", "enter_postproc",
           "sample_categorical", "sample_perfect_tile", "sample_partitioned_tile", "sample_compute_location"}

_judgements = None


def pytest_addoption(parser):
    group = parser.getgroup("hexproof")
    group.addoption("--hexproof-json", metavar="FILE", help="the report of all passes and primitives")
    group.addoption("--hexproof-junit", metavar="FILE", help="the same as JUnit, one case an application")
    group.addoption("--hexproof-passes", metavar="PATTERN", default="*", help="which passes and primitives are judged (default: all)")
    group.addoption("--hexproof-jobs", metavar="N", type=int, default=0, help="processes (default: one a core)")
    group.addoption("--hexproof-budget", metavar="SECONDS", type=float, default=60.0, help="for one function (default: 60)")
    group.addoption("--hexproof-report-only", action="store_true", help="what is refuted does not make the run fail")


def pytest_configure(config):
    global _judgements
    from hexproof.tvm import Judgements

    option = config.getoption
    _judgements = Judgements(jobs=option("--hexproof-jobs"), budget=option("--hexproof-budget"), passes=option("--hexproof-passes"))


def pytest_runtest_protocol(item, nextitem):
    """TVM is there once a test file has imported it."""
    if _judgements is not None:
        _judgements.begin(item.nodeid)
        try:
            watch(sys.modules.get("tvm"), _judgements)
        except Exception:
            pass


def pytest_sessionfinish(session, exitstatus):
    config = session.config
    if _judgements is None:
        return
    report = _judgements.report()
    report.save(config.getoption("--hexproof-json"), config.getoption("--hexproof-junit"))
    if report.refuted and exitstatus == 0 and not config.getoption("--hexproof-report-only"):
        session.exitstatus = 1


def pytest_terminal_summary(terminalreporter, exitstatus, config):
    if _judgements is not None:
        terminalreporter.section("hexproof")
        terminalreporter.write_line(str(_judgements.report()))


def watch(tvm, judgements):
    """From now on every PassContext has the instrument, the one that is there by default too, and every schedule reports."""
    from hexproof.tvm import wrapped

    context = getattr(getattr(tvm, "transform", None), "PassContext", None)
    if context is None:
        return
    if not hasattr(context, "_hexproof"):
        context._hexproof = wrapped(judgements)
        context.__init__ = _with_instrument(context.__init__, context._hexproof)
    current = context.current()
    instruments = list(getattr(current, "instruments", None) or [])
    if context._hexproof not in instruments:
        current.override_instruments([*instruments, context._hexproof])
    for place in ("tir", "s_tir"):
        schedule = getattr(getattr(tvm, place, None), "Schedule", None)
        if schedule is not None and not hasattr(schedule, "_hexproof"):
            schedule._hexproof = judgements
            for name in [n for n in dir(schedule) if not n.startswith("_") and n not in READERS]:
                method = getattr(schedule, name)
                if callable(method) and not isinstance(schedule.__dict__.get(name), (staticmethod, classmethod)):
                    setattr(schedule, name, _judged(method, name, judgements))


def _with_instrument(init, instrument):
    @functools.wraps(init)
    def made(self, *args, **kwargs):
        given = kwargs.get("instruments")
        if len(args) <= 3:  # (opt_level, required_pass, disabled_pass, instruments, config)
            kwargs["instruments"] = [*(given or []), instrument]
        else:
            args = (*args[:3], [*(args[3] or []), instrument], *args[4:])
        init(self, *args, **kwargs)

    return made


def _judged(method, name, judgements):
    @functools.wraps(method)
    def primitive(self, *args, **kwargs):
        name_, inside = f"sch.{name}", getattr(judgements, "inside", False)
        if inside:  # one primitive in terms of others
            return method(self, *args, **kwargs)
        judgements.inside = True
        try:
            _try(lambda: judgements.before(self.mod, name_, "primitive"))
            try:
                result = method(self, *args, **kwargs)
            except BaseException:
                _try(lambda: judgements.drop(name_))
                raise
            _try(lambda: judgements.after(self.mod, name_))
            return result
        finally:
            judgements.inside = False

    return primitive


def _try(work):
    try:
        work()
    except Exception:
        pass
