"""What programs, steps and reports look like in a notebook."""
import html
import re

_WORDS = re.compile(r"(?P<comment>#.*)|(?P<string>\"[^\"\n]*\")|(?P<keyword>\b(?:def|for|in|if|else|elif|with|while|class|and|or|not|range|True|False)\b)"
                    r"|(?P<name>\bT\.\w+)|(?P<number>\b\d[\d.]*\b)")
_COLOURS = {"comment": "#777", "string": "#a31515", "keyword": "#00f", "name": "#795e26", "number": "#098658"}
_CHANGED = {"+": "#e6ffec", "-": "#ffebe9"}
#: Rows of what is listed; what comes behind them is counted.
_ROWS = 12
_LEFT = 'style="text-align:left;vertical-align:top"'


def text(words):
    return f'<pre style="margin:0;background:none">{html.escape(words)}</pre>'


def program(script):
    """With coloured words."""
    def one(found):
        return f'<span style="color:{_COLOURS[found.lastgroup]}">{html.escape(found.group())}</span>'

    out, at = [], 0
    for found in _WORDS.finditer(script):
        out += [html.escape(script[at:found.start()]), one(found)]
        at = found.end()
    return "<pre>" + "".join(out) + html.escape(script[at:]) + "</pre>"


def diff(unified):
    lines = (f'<div style="background:{_CHANGED.get(line[:1], "none")}">{html.escape(line) or " "}</div>' for line in unified.splitlines())
    return "<pre>" + "".join(lines) + "</pre>"


def _value(value):
    if type(value) is list and value:  # (obligations are shown as their tally)
        more = f"<div>and {len(value) - _ROWS} more</div>" if len(value) > _ROWS else ""
        shown = value[:_ROWS]
        if all(isinstance(row, dict) for row in shown):
            return _rows(shown) + more
        return "".join(text(str(row)) for row in shown) + more
    return text(str(value))


def _rows(rows):
    """Dictionaries of the same keys, one a row."""
    heads = "".join(f"<th {_LEFT}>{html.escape(str(key))}</th>" for key in rows[0])
    body = "".join("<tr>" + "".join(f"<td {_LEFT}>{text(str(row[key]))}</td>" for key in rows[0]) + "</tr>" for row in rows)
    return f"<table><tr>{heads}</tr>{body}</table>"


def table(fields):
    """Names and values, one a row."""
    rows = "".join(f"<tr><th {_LEFT}>{html.escape(str(name))}</th><td {_LEFT}>{_value(value)}</td></tr>" for name, value in fields.items())
    return f"<table>{rows}</table>"
