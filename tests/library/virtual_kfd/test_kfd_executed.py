"""What is told of the instructions that devices executed."""

from __future__ import annotations

from pathlib import Path

from hsa_adapters.virtual_kfd import VirtualKfd
from hsa_device.wire import EXECUTED
from hsa_spec.machines import load_machine


def test_what_was_executed_once_and_not_another_time_is_lacking(tmp_path: Path) -> None:
    """Each process of a device adds its lines."""
    (tmp_path / EXECUTED).write_text(
        "exact s_endpgm\nnear image_load\nlacking image_load\nlacking v_a\nexact v_a\n"
        "near v_exp_f32\nexact v_exp_f32\n",
        encoding="ascii",
    )
    expected = {
        "s_endpgm": "exact",
        "image_load": "lacking",
        "v_a": "lacking",
        "v_exp_f32": "near",
    }
    assert expected == VirtualKfd(load_machine("gfx90a"), tmp_path, tmp_path).executed()
