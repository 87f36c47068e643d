"""Effects that a call has which does nothing, by what their texts say.

They tell nobody whether it was made, so a function that has no others is not made to do nothing.
"""

from __future__ import annotations

from typing import Final

IDLE: Final = frozenset(
    {
        # Registration is a hint: a program finds its memory as it was.
        "hsa_memory_register/contents-kept",
        "hsa_memory_register/no-nesting",
        "hsa_memory_register/allocated-no-effect",
        "hsa_memory_deregister/contents-kept",
        # What a hint prepares is prepared later where it is not.
        "hsa_amd_agent_preload/may-repeat",
        # Signals outlive a group all the more that was not destroyed.
        "hsa_signal_group_destroy/signals-live-on",
        # What unlocking undoes, only a record of locked memory shows, and who keeps one is open.
        "hsa_amd_memory_unlock/host-keeps",
        # Where caches are coherent, as on imitated machines, an owner sees what all others write.
        "hsa_memory_assign_agent/transfers",
        "hsa_memory_assign_agent/whole-block",
        "hsa_memory_assign_agent/address-kept",
        "hsa_memory_assign_agent/again",
        "hsa_memory_assign_agent/fine-grained-no-effect",
    }
)
