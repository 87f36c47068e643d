"""The C compiler that the environment names."""

from __future__ import annotations

import pytest

from hsa_spec.compiler import CompilerError, compiler


def test_a_variable_of_spaces_names_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", " ")
    assert ["cc"] == compiler()


def test_a_variable_that_is_no_command_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", 'gcc "-O2')
    with pytest.raises(CompilerError, match="variable CC is no command: No closing quotation"):
        compiler()
