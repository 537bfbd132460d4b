"""For tests: what is not proved is an AssertionError with the counterexample."""
import hexproof


def assert_proved(program, function=""):
    """The function (every function, where none is named) is free of errors for all inputs."""
    reports = hexproof.check(program, function)
    if not reports:  # (no `assert`: `python -O` leaves those out)
        raise AssertionError(f"{reports.function} is {reports.verdict}\n{reports.counterexample or reports.reason}")
    return reports


def assert_equivalent(before, after, **options):
    """Both programs compute the same, for all inputs."""
    reports = hexproof.equiv(before, after, **options)
    if not reports:
        raise AssertionError(f"{reports.before} and {reports.after}: {reports.verdict}\n{reports.counterexample or reports.reason}")
    return reports
