"""The real Chromium, driven by Playwright: shows a page as a phone or a desk would, presses keys on it, and asks it things."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PROGRAM = "chromium"
QUIET = [  # it talks to nobody but us
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--hide-scrollbars",
]  # fmt: skip
PATIENCE = 20  # seconds
PHONE = 600  # CSS pixels: a narrower screen is one of a phone, with touch


@contextmanager
def chromium() -> Iterator[Any]:
    """The program, started without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=shutil.which(PROGRAM), args=QUIET)
        yield started
        started.close()


class Browser:
    """One page of a running Chromium that remembers nothing of any page before; to be used in a `with`.

    page: Playwright's own page, for what is pressed and typed. fetched: every address asked for since the last `show`.
    complaints: what the console said in error since then, and every exception of a script.
    """

    page: Any

    def __init__(self, started: Any):
        self._chromium = started
        self._context, self._kind = None, None
        self.fetched: list[str] = []
        self.complaints: list[str] = []

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *error: Any) -> None:
        if self._context:
            self._context.close()

    def show(
        self, page: Path, width: int, height: int = 800, dark: bool = False, scale: int = 1, script: bool = True
    ) -> None:
        """Open a file on a screen so many CSS pixels wide; below PHONE it is a phone. script: whether scripts run."""
        self._open(width, height, dark, scale, script)
        self.fetched.clear()
        self.complaints.clear()
        self.page.goto(page.absolute().as_uri(), wait_until="load")

    def ask(self, expression: str) -> Any:
        """What a JavaScript expression gives in the page, as plain data."""
        return self.page.evaluate(expression)

    def wait_for(self, expression: str) -> None:
        """Wait until a JavaScript expression is true; a TimeoutError where it is not within 20 seconds.

        It is asked again and again from outside: a page that allows no `eval` lets Playwright's own waiting look only once.
        """
        until = time.monotonic() + PATIENCE
        while not self.ask(expression):
            if time.monotonic() > until:
                raise TimeoutError(f"still not true: {expression}")
            self.page.wait_for_timeout(20)

    def picture(self, clip: Iterable[int] | None = None) -> bytes:
        """What is seen, as PNG; of a clip (left, top, width, height) of the whole page where one is given."""
        if clip is None:
            return self.page.screenshot()
        return self.page.screenshot(full_page=True, clip=dict(zip(("x", "y", "width", "height"), clip, strict=True)))

    def _open(self, width: int, height: int, dark: bool, scale: int, script: bool) -> None:
        """A page of that kind, the same again where only its size is other."""
        kind = (width < PHONE, scale, script)
        if kind != self._kind:
            if self._context:
                self._context.close()
            self._context, self._kind = self._chromium.new_context(
                viewport={"width": width, "height": height}, device_scale_factor=scale, is_mobile=kind[0],
                has_touch=kind[0], java_script_enabled=script, accept_downloads=True,
            ), kind  # fmt: skip
            self.page = self._context.new_page()
            self.page.on("request", lambda request: self.fetched.append(request.url))
            self.page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
            self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.emulate_media(media="screen", color_scheme="dark" if dark else "light")
