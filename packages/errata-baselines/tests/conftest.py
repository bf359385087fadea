"""The fixtures are those of errata's own tests, whose worked example these tests share."""

from conftest import anyio_backend, clean_environment, demo, root, scripted, updates

__all__ = ["anyio_backend", "clean_environment", "demo", "root", "scripted", "updates"]
