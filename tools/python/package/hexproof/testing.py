"""For tests: what is not proved is an AssertionError with the counterexample."""
import hexproof


def assert_proved(program, function=""):
    """The program is free of errors for all inputs."""
    report = hexproof.check(program, function)
    assert report.verdict == "proved", f"{report.function} is {report.verdict}\n{report.counterexample or report.reason}"
    return report


def assert_equivalent(before, after, **options):
    """Both programs compute the same, for all inputs."""
    reports = hexproof.equiv(before, after, **options)
    for report in reports if isinstance(reports, list) else [reports]:
        assert report.verdict == "proved", (f"{report.before} and {report.after}: {report.verdict}\n"
                                            f"{report.counterexample or report.reason}")
    return reports
