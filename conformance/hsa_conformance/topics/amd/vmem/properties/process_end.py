"""What is left of exported memory when the other process has ended."""

from __future__ import annotations

from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.amd.vmem.properties.memory import marked, require_bytes, unmap
from hsa_conformance.topics.amd.vmem.properties.sharing import (
    export,
    open_import,
    require_import,
)
from hsa_conformance.topics.shared.ends import FEW, doomed_partner, end_partner
from hsa_spec import DecidedBy

proves = Proofs()


@proves("hsa_amd_vmem_import_shareable_handle/exporter-ended", fresh=True, examples=FEW)
def what_a_process_exported_that_has_ended_is_imported(scene: Scene) -> None:
    """A descriptor of a process that has ended since is imported, mapped, and shows its bytes."""
    owner = doomed_partner(scene)
    mapping, wanted = marked(owner)
    descriptor = scene.session.send_back(export(owner, mapping.handle))
    end_partner(scene)
    found = require_import(scene, scene, descriptor, DecidedBy.DRIVER)
    read = scene.session.read(found.address + wanted.offset, len(wanted.content))
    scene.require(
        read == wanted.content,
        "the imported memory shows other bytes",
        "a fault" if read is None else read.hex(" "),
        decided_by=DecidedBy.DRIVER,
    )
    unmap(scene, found)
    _release(scene, found.handle.handle)


@proves("hsa_amd_vmem_export_shareable_handle/importer-ended", fresh=True, examples=FEW)
def what_was_exported_stays_when_an_importer_has_ended(scene: Scene) -> None:
    """After the end of a process that had mapped an import, memory is exported and unmapped."""
    other = doomed_partner(scene)
    mapping, wanted = marked(scene)
    open_import(other, scene.session.send_descriptor(export(scene, mapping.handle)))
    end_partner(scene)
    require_bytes(scene, mapping.address, wanted, "the memory lost its bytes")
    answer = scene.call(
        "hsa_amd_vmem_export_shareable_handle",
        dmabuf_fd=Out(),
        handle=mapping.handle.handle,
        flags=0,
    )
    scene.require_status(answer, SUCCESS)
    answer = scene.call("hsa_amd_vmem_unmap", va=mapping.address, size=mapping.size)
    scene.require_status(answer, SUCCESS)
    _release(scene, mapping.handle.handle)


def _release(scene: Scene, handle: int) -> None:
    answer = scene.call("hsa_amd_vmem_handle_release", memory_handle=handle)
    scene.require_status(answer, SUCCESS)
