"""Queues from descriptors, and queues that share hardware, beside what `fake_queues` has."""

from __future__ import annotations

import itertools
import struct
from collections.abc import Sequence

from hsa_adapters import InProcessAdapter
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.running.campaign import Campaign
from hsa_conformance.engine.running.choice.cases import Cases
from hsa_conformance.engine.running.choice.checks import Checks
from hsa_conformance.engine.running.session_pool import SessionPool
from hsa_conformance.topics import TOPICS
from hsa_reports import Result
from hsa_spec import Registry
from tests.library.suite.fake_queues import LEAST, MOST, SUCCESS, Fake, numbers, write

INVALID_ARGUMENT, INVALID_AGENT, INVALID_CREATION, OUT_OF_RESOURCES = 0x1001, 0x1004, 0x1002, 0x1008
ERROR = 0x1000
ANY = 2**32 - 1
ENGINES, LIMIT = 2, 3
COMPUTE, COPY, AIE = range(3)
HIGHEST = 2  # priority


class Engines(Fake):
    """A fake with functions that no release has as yet; see `Fake`."""

    def __init__(self, registry: Registry, fault: str) -> None:
        super().__init__(registry, fault)
        self.turns = itertools.count()
        self.hardware: dict[int, int] = {}
        self.copying: dict[int, int] = {}
        self.counted: set[int] = set()
        self.pools: dict[int, list[int]] = {}
        self.free = itertools.count(100)

    def _device(self, agent: int) -> int | None:
        place = self.memory(4)
        device = self.registry.constants["HSA_AGENT_INFO_DEVICE"]
        status = self.reference["hsa_agent_get_info"](agent, device, place)
        return numbers(place, "I", 1)[0] if status == SUCCESS else None

    def hsa_amd_queue_create(self, agent: int, descriptors: int, count: int) -> int:
        if not descriptors or not count:
            return INVALID_ARGUMENT
        if self._device(agent) is None:
            return INVALID_AGENT
        each = [descriptors + 96 * n for n in range(count)]
        if not all(self._is_valid(d) for d in each):
            return INVALID_ARGUMENT
        results = [self._create(agent, d) for d in each]
        failed = [status for status in results if status != SUCCESS]
        if self.fault == "last error":
            failed.reverse()
        return failed[0] if failed else SUCCESS

    def _is_valid(self, at: int) -> bool:
        version, _, engine, *_ = numbers(at, "H", 4)
        size, priority = numbers(at + 8, "I", 2)
        rest = numbers(at + 72, "I", 6)
        bits, kind = numbers(at + 56, "I", 1)[0], numbers(at + 48, "I", 1)[0]
        right = version == 1 and engine <= AIE and size & (size - 1) == 0 and size > 0
        fits = engine != COMPUTE or (size % 64 == 0 and bits % 32 == 0 and kind <= HIGHEST)
        return right and fits and priority <= HIGHEST and not any(rest)

    def _create(self, agent: int, at: int) -> int:
        engine, size = numbers(at + 4, "B", 1)[0], numbers(at + 8, "I", 1)[0]
        write(at + 32, struct.pack("<Q", 5 if self.fault == "not null" else 0))
        if engine == AIE or self._device(agent) != 1:
            return INVALID_CREATION
        if size > 64 * MOST:
            return OUT_OF_RESOURCES
        packets = size if engine == COPY and self.fault != "bytes" else size // 64
        self._queue(packets, 0, 1, 0, at + 32)
        queue = numbers(at + 32, "Q", 1)[0]
        self.hardware[queue] = next(self.free)
        if engine == COPY:
            turn = next(self.turns)
            self.copying[queue] = ANY if self.fault == "any" else turn % ENGINES
            if self.fault == "turns" and turn == 3:
                self.copying[queue] = 0
        mask, bits = numbers(at + 40, "Q", 1)[0], numbers(at + 56, "I", 1)[0]
        if engine == COMPUTE and mask and self.fault != "unmasked":
            self.hsa_amd_queue_cu_set_mask(queue, bits, mask)
        return SUCCESS

    def hsa_queue_create(self, *arguments: int) -> int:
        status = super().hsa_queue_create(*arguments)
        queue = numbers(arguments[-1], "Q", 1)[0]
        self.hardware[queue] = 7 if self.fault == "hardware" else next(self.free)
        return status

    def hsa_amd_counted_queue_acquire(
        self, agent: int, kind: int, priority: int, *rest: int
    ) -> int:
        pool = self.pools.setdefault(priority, [])
        if len(pool) < LIMIT and (
            self.fault != "early sharing" or not pool or self._users(pool[0]) > 1
        ):
            pool.append(next(self.free))
            chosen = pool[-1]
        else:
            chosen = pool[0] if self.fault == "first" else min(pool, key=self._users)
        self._queue(LEAST, kind, 1, 0, rest[-1])
        queue = numbers(rest[-1], "Q", 1)[0]
        if self.fault == "same handle" and self.counted:
            queue = max(self.counted)
            write(rest[-1], struct.pack("<Q", queue))
        self.counted.add(queue)
        self.hardware[queue] = chosen
        return SUCCESS

    def _users(self, hardware: int) -> int:
        return sum(self.hardware[queue] == hardware for queue in self.counted)

    def hsa_amd_counted_queue_release(self, queue: int) -> int:
        if queue not in self.counted:
            return INVALID_ARGUMENT
        if self.fault != "kept":
            self.counted.discard(queue)
        if self.fault == "hardware goes" and not self.counted:
            self.pools.clear()
        return SUCCESS

    def hsa_amd_queue_get_info(self, queue: int, attribute: int, value: int) -> int:
        number = self.registry.constants
        users = self._users(self.hardware[queue]) if queue in self.counted else ANY
        answers = {
            number["HSA_QUEUE_INFO_USE_COUNT"]: ("I", 0 if self.fault == "users" else users),
            number["HSA_QUEUE_INFO_HW_ID"]: ("I", self.hardware[queue]),
            number["HSA_AMD_QUEUE_INFO_VM_FAULT_STATUS"]: ("B", self.fault == "faulty"),
            number["HSA_AMD_QUEUE_INFO_SDMA_ENGINE_ID"]: ("I", self.copying.get(queue, 0)),
        }
        if attribute not in answers:
            return INVALID_ARGUMENT
        form, answer = answers[attribute]
        write(value, struct.pack(f"<{form}", answer))
        return SUCCESS


def judged(registry: Registry, fault: str, clauses: Sequence[str]) -> list[Result]:
    """Run the checks of clauses on a fake with a fault, whatever releases they are of."""
    adapter = InProcessAdapter("fake", lambda: Engines(registry, fault).functions(), registry)
    pool = SessionPool(adapter, registry, TOPICS, expect_no_device=False)
    try:
        judge = Judge(registry, lambda _: True)
        checks = Checks(Cases(registry, TOPICS), judge, None)
        campaign = Campaign(pool, judge, "quick", 0)
        return [
            campaign.run(check)
            for clause in clauses
            for check in checks.of(registry.clauses[clause])
        ]
    finally:
        pool.close()
