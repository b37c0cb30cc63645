"""Telling how far a run is: a line in a terminal or a notebook, or a function of the caller's own."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Union

Tell = Callable[[int, int, str], object]


@contextmanager
def listener(progress: Union[bool, Tell, None]) -> Iterator[Union[Tell, None]]:
    """What a run calls ten times a second with (done, all, "steps" or "impacts"); a bar where `progress` is True."""
    if progress is None or progress is False:
        yield None
        return
    if progress is not True:
        if not callable(progress):
            raise TypeError(f"progress = {progress!r}: must be True, False or a function of (done, all, unit)")
        yield progress
        return
    shown = False

    def tell(done: int, all_: int, unit: str) -> None:
        nonlocal shown
        share = min(1.0, done / all_) if all_ else 0.0
        bar = "#" * round(30 * share)
        sys.stderr.write(f"\r[{bar:<30}] {100 * share:3.0f} % {done} of {all_} {unit}")
        sys.stderr.flush()
        shown = True

    try:
        yield tell
    finally:
        if shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
