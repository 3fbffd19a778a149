"""The real Chromium, driven by Playwright: shows a page as a phone or a desk would, presses keys on it, and asks it things."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

PROGRAM = "chromium"
QUIET = [  # it talks to nobody but us
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--hide-scrollbars",
    "--renderer-process-limit=1",  # otherwise it starts a process for every page that it opens
    # No page for suggestions behind the address bar of each window. The rest is Playwright's own list, which this one replaces.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,AimEnabled,LensOverlay,MediaRouter,NetworkTimeServiceQuerying,"
    "OptimizationHints,PaintHolding,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,DestroyProfileOnBrowserClose,"
    "AvoidUnnecessaryBeforeUnloadCheckSync,ThirdPartyStoragePartitioning,PreconnectToSearch",
]  # fmt: skip
PATIENCE = 20  # seconds
PHONE = 600  # CSS pixels: a narrower screen is one of a phone, with touch


Kind = tuple[bool, int, bool]  # of window: whether it is a phone's, its pixels for a CSS pixel, whether scripts run


class Chromium:
    """The program, running, with a window of each kind that was asked for: opening one takes longer than most pages do."""

    def __init__(self, started: Any):
        self._started = started
        self._pages: dict[Kind, Any] = {}

    def page(self, kind: Kind, width: int, height: int) -> Any:
        """The page in the window of that kind, empty, with no permission and no cookie."""
        page = self._pages.get(kind)
        if page:
            forget(page)
            page.goto("about:blank")
            page.context.clear_permissions()
            page.context.clear_cookies()
            return page
        phone, scale, script = kind
        context = self._started.new_context(
            viewport={"width": width, "height": height}, device_scale_factor=scale, is_mobile=phone,
            has_touch=phone, java_script_enabled=script, accept_downloads=True,
        )  # fmt: skip
        page = self._pages[kind] = context.new_page()
        return page


def forget(page: Any) -> None:
    """Forget what the pages that the window shows kept on this device; all files share one storage."""
    if page.url.startswith("file:"):
        with suppress(Exception):  # where no script runs there is none
            page.evaluate("localStorage.clear()")


@contextmanager
def chromium() -> Iterator[Chromium]:
    """The program, started without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=shutil.which(PROGRAM), args=QUIET)
        yield Chromium(started)
        started.close()


class Browser:
    """One page of a running Chromium that remembers nothing of any page before; to be used in a `with`.

    page: Playwright's own page, for what is pressed and typed. fetched: every address asked for since the last `show`.
    complaints: what the console said in error since then, and every exception of a script.
    """

    page: Any

    def __init__(self, started: Chromium):
        self._chromium = started
        self._kind: Kind | None = None
        self.fetched: list[str] = []
        self.complaints: list[str] = []
        self._listeners = {"request": self._note_request, "console": self._note_console, "pageerror": self._note_error}

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *error: Any) -> None:
        self._leave()

    def show(
        self, page: Path, width: int, height: int = 800, dark: bool = False, scale: int = 1, script: bool = True
    ) -> None:
        """Open a file on a screen so many CSS pixels wide; below PHONE it is a phone. script: whether scripts run.

        What pages kept on this device before is forgotten; `again` opens one that remembers.
        """
        self._open(width, height, dark, scale, script)
        forget(self.page)
        self.fetched.clear()
        self.complaints.clear()
        self.page.goto(page.absolute().as_uri(), wait_until="load")

    def again(self, page: Path) -> None:
        """Open a file in the same window, as somebody does who comes back to it."""
        self.page.goto("about:blank")
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
            self._leave()
            self.page, self._kind = self._chromium.page(kind, width, height), kind
            for event, listener in self._listeners.items():
                self.page.on(event, listener)
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.emulate_media(media="screen", color_scheme="dark" if dark else "light")

    def _leave(self) -> None:
        """Hear nothing more of the page."""
        if self._kind:
            for event, listener in self._listeners.items():
                self.page.remove_listener(event, listener)
        self._kind = None

    def _note_request(self, request: Any) -> None:
        self.fetched.append(request.url)

    def _note_console(self, message: Any) -> None:
        if message.type == "error":
            self.complaints.append(message.text)

    def _note_error(self, error: Any) -> None:
        self.complaints.append(str(error))
