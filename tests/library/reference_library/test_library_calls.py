"""Arguments, answers and failures of single calls, with a toy reference behind the library."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

DEFECT = "this is a defect of the reference, please report it"


def test_every_kind_of_argument_arrives_as_it_was_passed(
    run_c: Callable[..., Any], toy_library: Path
) -> None:
    done = run_c(
        """
        int main(void)
        {
            hsa_agent_t agent = {7};
            printf("%u", hsa_is(UINT64_MAX, (void *)(1ull << 63), -1, UINT32_MAX, INT32_MIN, agent,
                                255, true, NULL));
        }
        """,
        toy_library,
    )

    assert ("1", "", 0) == (done.stdout, done.stderr, done.returncode)


def test_arguments_that_do_not_fit_into_registers_keep_their_order(
    run_c: Callable[..., Any], toy_library: Path
) -> None:
    done = run_c(
        'int main(void) { printf("%u", hsa_digits(1, 2, 3, 4, 5, 6, 7, 8, 9)); }', toy_library
    )

    assert "123456789" == done.stdout


def test_answers_that_are_no_status_keep_all_64_bits_and_the_sign(
    run_c: Callable[..., Any], toy_library: Path
) -> None:
    done = run_c(
        """
        int main(void)
        {
            hsa_store((hsa_agent_t){1});
            printf("%lld %llx", (long long)hsa_value(INT64_MAX), (unsigned long long)hsa_index());
        }
        """,
        toy_library,
    )

    assert ("-9223372036854775807 ffffffffffffffff", "") == (done.stdout, done.stderr)


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        ("hsa_raises", "ValueError: no good ("),
        ("hsa_lines", "ValueError: first second ("),
        ("hsa_exits", "SystemExit: 0 ("),
        ("hsa_too_wide", "the answer 0x100000000 has more than 32 bits"),
        ("hsa_negative", "OverflowError: "),
        ("hsa_text", "TypeError: "),
    ],
)
def test_failing_function_answers_fatal_with_one_line_and_the_next_call_works(
    run_c: Callable[..., Any], toy_library: Path, function: str, reason: str
) -> None:
    done = run_c(
        f'int main(void) {{ printf("%#x", {function}()); printf(" %u", hsa_init()); }}', toy_library
    )

    assert "0x1026 0" == done.stdout
    [line] = done.stderr.splitlines()
    assert line.startswith(f"libhsa-runtime64 (reference): {function}: {reason}")
    assert line.endswith(DEFECT)


def test_failing_function_without_a_status_aborts_after_its_line(
    run_c: Callable[..., Any], toy_library: Path
) -> None:
    done = run_c(
        'int main(void) { printf("%llu", (unsigned long long)hsa_value_raises()); }', toy_library
    )

    assert ("", -signal.SIGABRT) == (done.stdout, done.returncode)
    reason, end = done.stderr.splitlines()
    assert "hsa_value_raises: ValueError: no good" in reason
    assert "hsa_value_raises: it has no status to return" in end


def test_call_after_python_has_ended_answers_fatal(
    run_python: Callable[..., Any], toy_library: Path
) -> None:
    done = run_python(
        """
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
libc = ctypes.CDLL(None)
print(library.hsa_init(), flush=True)
libc.on_exit(library.hsa_init, None)
""",
        toy_library,
    )

    assert "0\n" == done.stdout
    assert ["the Python of this process has ended"] == [
        line.split(": ")[1] for line in done.stderr.splitlines()
    ]
