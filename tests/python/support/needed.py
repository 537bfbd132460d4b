"""What a test needs of ./dev's packages: where ./dev installed them, or in CI, one that is missing is a failure."""
import os
import unittest


def needed(missing, what):
    """Nothing where nothing is missing; elsewhere the test is skipped, and says why."""
    if not missing:
        return
    says = f"{what}: {', '.join(missing)} missing, which ./dev installs"
    if os.environ.get("HEXPROOF_PACKAGES") or os.environ.get("CI"):
        raise AssertionError(says)
    raise unittest.SkipTest(says)
