"""Debian releases of ROCr in folders, each with its own C library and Python, made without root."""

from hsa_adapters.hosts.create import create
from hsa_adapters.hosts.host import SUITES, Host, HostError, available, find, load

__all__ = ["SUITES", "Host", "HostError", "available", "create", "find", "load"]
