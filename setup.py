"""Maps the top-level folders into the one import package `errata`."""

from setuptools import find_packages, setup

FOLDERS = ("evals", "graphs", "nodes", "prompts", "server", "tools", "training")
"""Each is installed as `errata.FOLDER`; in a clone, `errata/FOLDER` is a link to it."""

inside = find_packages(include=[name for folder in FOLDERS for name in (folder, f"{folder}.*")])
face = find_packages(
    include=["errata", "errata.*"],
    exclude=[name for folder in FOLDERS for name in (f"errata.{folder}", f"errata.{folder}.*")],
)
setup(
    packages=[*face, *(f"errata.{name}" for name in inside)],
    package_dir={f"errata.{folder}": folder for folder in FOLDERS},
)
