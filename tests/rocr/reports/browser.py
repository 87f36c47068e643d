"""A real browser without a window, told what to do over its pipe."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

_ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)

PATIENCE = 20.0
"""For how many seconds a page may go on before a test fails."""


class Browser:
    """A browser that runs.

    Args:
        asking: the descriptor that it reads commands from.
        answering: the descriptor that it writes answers to.

    """

    def __init__(self, asking: int, answering: int) -> None:
        self._asking = asking
        self._answering = answering
        self._read = b""
        self._number = 0

    def ask(self, command: Mapping[str, object]) -> Mapping[str, Any]:
        """Return the answer to a command; fails where it is refused."""
        self._number += 1
        os.write(self._asking, json.dumps({"id": self._number, **command}).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                result: Mapping[str, Any] = answer["result"]
                return result

    def _next(self) -> Mapping[str, Any]:
        while b"\0" not in self._read:
            part = os.read(self._answering, 1 << 16)
            assert part, "the browser has gone"
            self._read += part
        message, self._read = self._read.split(b"\0", 1)
        found: Mapping[str, Any] = json.loads(message)
        return found


class Window:
    """A page of a browser."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        made = {"method": "Target.createTarget", "params": {"url": "about:blank"}}
        target = browser.ask(made)["targetId"]
        attach = {"targetId": target, "flatten": True}
        attached = browser.ask({"method": "Target.attachToTarget", "params": attach})
        self._session = attached["sessionId"]
        self.ask("Page.enable")
        self.ask("Runtime.enable")

    def ask(self, method: str, **parameters: object) -> Mapping[str, Any]:
        """Return the answer to a command of the DevTools protocol; fails where it is refused."""
        return self._browser.ask(
            {"method": method, "params": parameters, "sessionId": self._session}
        )

    def size(self, width: int, height: int = 900) -> None:
        """Make the window as large as this, in CSS pixels."""
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def scripts(self, *, run: bool) -> None:
        """Say whether pages that are opened from now on may run scripts."""
        self.ask("Emulation.setScriptExecutionDisabled", value=not run)

    def media(self, kind: str = "", scheme: str = "light") -> None:
        """Show pages as for a kind of medium ("print", or "" for the screen), light or dark."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.ask("Emulation.setEmulatedMedia", media=kind, features=features)

    def open(self, page: Path, place: str = "") -> None:
        """Open a file, and wait until it is shown."""
        self.ask("Page.navigate", url="about:blank")
        self.ask("Page.navigate", url=f"{page.as_uri()}{place}")
        self.wait("document.readyState === 'complete'")
        self.wait("document.documentElement.dataset.state !== 'starting'")

    def wait(self, condition: str) -> None:
        """Wait until a condition, in JavaScript, is true."""
        end = time.monotonic() + PATIENCE
        while not self.run(f"Boolean({condition})"):
            assert time.monotonic() < end, f"never came true: {condition}"
            time.sleep(0.02)

    def run(self, script: str) -> Any:
        """Return what an expression in JavaScript gives."""
        answer = self.ask(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def texts(self, selector: str) -> list[str]:
        """Return the texts of the elements that can be seen, their white space collapsed."""
        found: list[str] = self.run(
            f"[...document.querySelectorAll({json.dumps(selector)})]"
            ".filter((each) => each.checkVisibility())"
            ".map((each) => each.innerText.replace(/\\s+/g, ' ').trim())"
        )
        return found

    def press(self, key: str) -> None:
        """Press a key, such as "/" or "ArrowDown"."""
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        code = {"Enter": 13, "ArrowUp": 38, "ArrowDown": 40, "Escape": 27, "Tab": 9}.get(key, 0)
        how = {"key": key, "windowsVirtualKeyCode": code, **({"text": text} if text else {})}
        self.ask("Input.dispatchKeyEvent", type="keyDown", **how)
        self.ask("Input.dispatchKeyEvent", type="keyUp", **how)

    def write(self, text: str) -> None:
        """Write into what has the focus."""
        self.ask("Input.insertText", text=text)

    def picture(self, *, whole: bool = False) -> bytes:
        """Return what is seen as a PNG, or the whole page."""
        shot = self.ask("Page.captureScreenshot", captureBeyondViewport=whole)
        return base64.b64decode(shot["data"])

    def printed(self) -> bytes:
        """Return the page on paper, as a PDF."""
        return base64.b64decode(self.ask("Page.printToPDF")["data"])


@contextmanager
def running(profile: Path) -> Iterator[Browser]:
    """Start a browser, and end it afterwards.

    Args:
        profile: an empty folder for what it keeps.

    """
    assert CHROMIUM is not None
    # The browser reads commands from descriptor 3 and answers on 4.
    script = 'exec "$0" "$@" 3<&0 4>&1 <&- >/dev/null 2>&1'
    process = subprocess.Popen(
        ["/bin/sh", "-c", script, CHROMIUM, *_ARGUMENTS, f"--user-data-dir={profile}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process, process.stdin, process.stdout:
        yield Browser(process.stdin.fileno(), process.stdout.fileno())
        process.terminate()
