"""The schema of SARIF 2.1.0, with the formats that it names."""
import json
import pathlib
import re

import jsonschema

SCHEMA = json.loads((pathlib.Path(__file__).resolve().parents[2] / "data/sarif-2.1.0-rtm.5.json").read_text())
#: RFC 3986, appendix A, as far as names of files and addresses go.
REFERENCE = r"([A-Za-z][A-Za-z0-9+.-]*:)?(//[A-Za-z0-9._~%!$&'()*+,;=:@-]*)?([A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*(#.*)?"
formats = jsonschema.FormatChecker(formats=())


@formats.checks("uri-reference")
def is_reference(text):
    return re.fullmatch(REFERENCE, text) is not None and ":" not in text.split("/")[0].removesuffix(":")


@formats.checks("uri")
def is_uri(text):
    return is_reference(text) and re.match("[A-Za-z][A-Za-z0-9+.-]*:", text) is not None


VALIDATOR = jsonschema.Draft4Validator(SCHEMA, format_checker=formats)


def errors(log):
    """Where the log is not of the schema, and why."""
    return [f"{list(e.absolute_path)}: {e.message}" for e in VALIDATOR.iter_errors(log)]
