"""What the registry says that a release exports is what its library exports, name by name."""

from __future__ import annotations

from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from hsa_adapters.hosts import HostError, create
from hsa_spec import Release, load


def exports(library: Path) -> set[str]:
    """Return the names of the API that a library exports."""
    with library.open("rb") as file:
        section = ELFFile(file).get_section_by_name(".dynsym")
        assert isinstance(section, SymbolTableSection)
        return {
            s.name
            for s in section.iter_symbols()
            if s.name.startswith("hsa_")
            and s["st_shndx"] != "SHN_UNDEF"
            and s["st_info"]["type"] == "STT_FUNC"
        }


@pytest.mark.network
@pytest.mark.parametrize("suite", ["trixie"])
def test_neither_has_more(suite: str) -> None:
    """A function that is missing on either side is a mistake of ours."""
    try:
        host = create(suite)
    except HostError as error:
        pytest.skip(f"no host can be made here: {error}")
    release = Release.parse(host.rocr_version)
    expected = {
        f.name
        for f in load().functions.values()
        if f.export == "linker" and release.has(f.versions) is True
    }
    assert expected == exports(Path(host.library))
