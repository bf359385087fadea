"""Installs the top-level folders inside the one import package `errata`."""

from setuptools import find_packages, setup

FOLDERS = ("evals", "graphs", "nodes", "prompts", "server", "tools", "training")
"""Each is imported as `errata.FOLDER`; in a clone, `errata/FOLDER` is a symbolic link to it."""

# A set, because through the links of a clone the same packages turn up under errata again.
packages = set(find_packages(include=["errata", "errata.*"]))
for folder in FOLDERS:
    packages |= {f"errata.{folder}", *(f"errata.{folder}.{name}" for name in find_packages(folder))}

setup(
    packages=sorted(packages),
    package_dir={f"errata.{folder}": folder for folder in FOLDERS},
)
