"""What a schedule finds around it, part by part, each compiled into the library: first the exceptions.

`_native` holds what is written in C++.
"""
import sys
import types


class Error(Exception):
    """What hexproof says no to. `file`, `line`, `column`: where; None and 0 when nowhere. `hint`: a cure. `report`:
    what is known of the condition that does not hold, or of the check; None: there is none."""

    file = None
    line = 0
    column = 0
    hint = ""
    report = None

    def __init__(self, message="", hint=""):
        super().__init__(message, *([hint] if hint else []))
        self.hint = hint

    def __str__(self):
        message = str(self.args[0]) if self.args else ""
        return message if not self.hint or self.hint in message else f"{message}\n  hint: {self.hint}"


class InputError(Error, ValueError):
    """A mistake: something that does not parse, does not fit, or is not there."""


class UnsupportedError(Error):
    """Something that hexproof does not model."""


class RefutedError(Error):
    """A condition of a step is false: the message has the values."""


class UndecidedError(Error):
    """A condition of a step was neither proved nor refuted within the limits."""


class MissingError(UnsupportedError, AttributeError):
    """A primitive of TVM that there is not, or a name that nothing has."""


class NoSuchError(InputError, AttributeError):
    """A name that nothing has."""


class InternalError(BaseException):
    """A bug of hexproof. No `except Exception` takes it for an answer."""
