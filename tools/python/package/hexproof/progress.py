"""What is being worked on, shown in terminals and notebooks once it takes a second. Nothing is shown elsewhere."""
import sys
import threading
import time

_wanted = None  # True and False: said by the user; None: where somebody looks
_notebook = False
_state = {"what": None, "since": 0.0}
_wake = threading.Event()
_watcher = None
DELAY, PERIOD = 1.0, 0.5


def show(wanted):
    global _wanted
    _wanted = wanted


def is_shown():
    global _wanted, _notebook
    if _wanted is None:
        shell = sys.modules.get("IPython") and sys.modules["IPython"].get_ipython()
        _notebook = bool(shell) and hasattr(shell, "kernel")
        _wanted = _notebook or bool(getattr(sys.stderr, "isatty", lambda: False)())
    return _wanted


class working:
    """with working("checking main"): ..."""

    def __init__(self, what):
        self.what, self.before = what, None

    def __enter__(self):
        if is_shown():
            self.before = _state["what"], _state["since"]
            _state.update(since=time.monotonic(), what=self.what)
            _watch()

    def __exit__(self, *_):
        if self.before is not None:
            _state.update(what=self.before[0], since=self.before[1])
            if self.before[0] is None:
                _wake.clear()


def _watch():
    global _watcher
    _wake.set()
    if _watcher is None or not _watcher.is_alive():
        _watcher = threading.Thread(target=_run, daemon=True)
        _watcher.start()


def _run():
    out = None
    while True:
        if out is not None and _state["what"] is None:
            out("")
            out = None
        _wake.wait()
        time.sleep(PERIOD)
        what, seconds = _state["what"], time.monotonic() - _state["since"]
        if what is None or seconds < DELAY:
            continue
        try:
            out = out or _place()
            out(f"{what} ... {seconds:.0f} s")
        except Exception:
            return  # nobody looks any more


def _place():
    """Where a line is shown, and shown anew."""
    if not _notebook:
        stream = sys.stderr

        def line(text):
            stream.write(f"\r{text}\033[K")
            stream.flush()

        return line
    from IPython.display import HTML, display

    handle = display(HTML(""), display_id=True)
    return lambda text: handle.update(HTML(f"<i>{text}</i>"))
