"""Properties of images: what agents support, what data needs, images themselves, and copies."""

from hsa_conformance.suite.images.images import capabilities, copies, creation, needs

__all__ = ["capabilities", "copies", "creation", "needs"]
