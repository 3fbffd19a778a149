"""The real Chromium, told what to do through its debugging pipe: shows a page as a phone or a desk would, and asks it things."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Iterable

PROGRAM = "chromium"
END = b"\0"  # of each message in the pipe


class Browser:
    """A running Chromium without a window, with one page; to be used in a `with`."""

    def __enter__(self) -> Browser:
        self._home = tempfile.TemporaryDirectory(prefix="kingdom-chromium-", ignore_cleanup_errors=True)  # its helpers may still write
        read_here, write_there = os.pipe()
        read_there, write_here = os.pipe()

        def wired() -> None:
            """In the new process: it reads on descriptor 3 and writes on descriptor 4."""
            pair = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (read_there, write_there)]
            os.dup2(pair[0], 3)
            os.dup2(pair[1], 4)

        self._process = subprocess.Popen(
            [PROGRAM, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
             f"--user-data-dir={self._home.name}"],
            preexec_fn=wired, pass_fds=(3, 4), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(read_there)
        os.close(write_there)
        self._in, self._out, self._rest, self._count = read_here, write_here, b"", 0
        self.fetched: list[str] = []
        self._session = ""
        target = self._do("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._do("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._do("Page.enable")
        self._do("Network.enable")
        return self

    def __exit__(self, *error: Any) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._in)
        os.close(self._out)
        self._home.cleanup()

    def show(self, page: Path, width: int, height: int = 800, dark: bool = False, scale: int = 1) -> None:
        """Open a file on a screen so many CSS pixels wide; below 600 it is a phone. Then `fetched` holds every address asked for."""
        self.fetched.clear()
        self._do("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=width < 600)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._do("Emulation.setEmulatedMedia", media="screen", features=[scheme])
        self._do("Page.navigate", url=page.absolute().as_uri())
        while self._message().get("method") != "Page.loadEventFired":
            pass

    def ask(self, expression: str) -> Any:
        """What a JavaScript expression gives in the page, as plain data."""
        return self._do("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def picture(self, clip: Iterable[int] | None = None) -> bytes:
        """What is seen, as PNG; of a clip (left, top, width, height) of the whole page where one is given."""
        asked: dict[str, Any] = {"format": "png"}
        if clip:
            asked |= {"clip": {**dict(zip(("x", "y", "width", "height"), clip)), "scale": 1}, "captureBeyondViewport": True}
        return base64.b64decode(self._do("Page.captureScreenshot", **asked)["data"])

    def _do(self, method: str, **params: Any) -> dict[str, Any]:
        """The answer to a command of the DevTools protocol. Raises RuntimeError where it is refused."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + END)
        while True:
            answer = self._message()
            if answer.get("id") == self._count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def _message(self) -> dict[str, Any]:
        while END not in self._rest:
            read = os.read(self._in, 1 << 20)
            if not read:
                raise RuntimeError("Chromium has ended")
            self._rest += read
        line, self._rest = self._rest.split(END, 1)
        message = json.loads(line)
        if message.get("method") == "Network.requestWillBeSent":
            self.fetched.append(message["params"]["request"]["url"])
        return message
