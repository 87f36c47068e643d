"""Debian releases of ROCr in folders, each with its own C library and Python, made without root."""

from hsa_adapters.hosts.create import create
from hsa_adapters.hosts.host import SUITES, Host, HostError, NoHostError, available, find, load

__all__ = ["SUITES", "Host", "HostError", "NoHostError", "available", "create", "find", "load"]
