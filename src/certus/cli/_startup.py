"""What the process of the command line does before it imports anything heavy. Libraries must not do any of this."""

import gc
import os
import signal
import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType, TracebackType

__all__ = ["preload_special_functions", "prepare"]


def prepare() -> None:
    """Set up the process: how it ends, and how many threads numpy starts.

    A closed pipe ends it silently, as it ends other Unix tools. An error that nobody foresaw is one line, not a
    traceback. numpy's linear algebra is not used here, so its thread pool is not started. The process is short and has
    next to no reference cycles, so nobody looks for them.
    """
    gc.disable()
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(variable, "1")
    if not os.environ.get("CERTUS_TRACEBACK"):
        sys.excepthook = _one_line
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller, as with >&-: nobody wants what goes there
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _one_line(kind: type[BaseException], error: BaseException, _: TracebackType | None) -> None:
    from certus.printable import printable

    said = printable(f"{kind.__name__}: {error}".strip(": "))
    sys.stderr.write(f"certus: internal error: {said} (set CERTUS_TRACEBACK=1 to see where)\n")


def preload_special_functions() -> None:
    """Have the quantiles that intervals need without the rest of ``scipy.special``, which takes four times as long.

    Importing ``scipy.special`` takes about 90 ms beside numpy, most of it for parts that are not used here; its
    compiled functions alone take about 25 ms. They are imported through a stand-in for the package, which is removed
    again: a later ``import scipy.special`` finds everything. Where scipy is built in another way, nothing is preloaded.
    """
    from certus.inference import _special

    name = "scipy.special"
    if name in sys.modules:
        return
    spec = find_spec("scipy")
    if spec is None or spec.submodule_search_locations is None:
        return
    stand_in = ModuleType(name)
    stand_in.__path__ = [os.path.join(place, "special") for place in spec.submodule_search_locations]
    sys.modules[name] = stand_in
    try:
        functions = vars(import_module(f"{name}._ufuncs"))
        vars(stand_in).update({each: functions[each] for each in functions if not each.startswith("_")})
        _special.preload()
    except ImportError:
        _special.preload.cache_clear()
    finally:
        del sys.modules[name]
