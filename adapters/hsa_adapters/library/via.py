"""The command that starts the worker, here or elsewhere."""

from __future__ import annotations

import shlex
import sys

from hsa_adapters.errors import MisuseError

# One line, no quotes of either kind in a row: it passes through shells of other machines. It reads
# the length of the worker's source, then the source, and runs it. Old Pythons understand it, too.
LOADER = (
    "import sys;"
    "sys.version_info>=(3,9) or sys.exit('Python 3.9 or newer is needed, this is '"
    "+sys.version.split()[0]);"
    "f=open(0,'rb',0,closefd=False);n=int(f.readline());b=bytearray();"
    "[b.extend(f.read(n-len(b)) or sys.exit('the source ended early')) "
    "for _ in iter(lambda:len(b)<n,False)];"
    "exec(bytes(b))"
)
ARGUMENTS = ("-I", "-S", "-c", LOADER)


def command(via: str | None) -> list[str]:
    """Return the command that starts the worker.

    Args:
        via: a command in shell quoting that runs Python 3.9 or newer where the library is, with one
            of these placeholders, or None for this machine and this Python:
            `{argv}`, as a word of its own: python3 and its arguments, each a word;
            `{args}`, as a word of its own: only the arguments, for a command that names its Python;
            `{quoted}`: python3 and its arguments quoted for one more shell, as ssh needs.

    Raises:
        MisuseError: the template cannot be used.

    """
    if via is None:
        return [sys.executable, *ARGUMENTS]
    try:
        words = shlex.split(via)
    except ValueError as error:
        raise MisuseError(f"--via {via!r} is not in shell quoting: {error}") from error
    python = ("python3", *ARGUMENTS)
    filled: list[str] = []
    for word in words:
        if word == "{argv}":
            filled.extend(python)
        elif word == "{args}":
            filled.extend(ARGUMENTS)
        else:
            filled.append(word.replace("{quoted}", shlex.join(python)))
    if filled == words:
        raise MisuseError(
            f"--via {via!r} has no placeholder: say where Python's command line goes with "
            '{argv}, {args} or {quoted}, as in "ssh node -- {quoted}"'
        )
    return filled
