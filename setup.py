"""Installs the top-level folders inside the one import package `errata`."""

from setuptools import find_packages, setup

FOLDERS = ("graphs", "nodes", "prompts", "server", "tools")
"""Each is imported as `errata.FOLDER`; in a clone, `errata/FOLDER` is a symbolic link to it."""
IN_CLONES = ("evals", "training")
"""The same, for those who work in a clone: a wheel has them not."""

# A set, because through the links of a clone the same packages turn up under errata again.
left_out = [f"errata.{folder}{rest}" for folder in IN_CLONES for rest in ("", ".*")]
packages = set(find_packages(include=["errata", "errata.*"], exclude=left_out))
for folder in FOLDERS:
    packages |= {f"errata.{folder}", *(f"errata.{folder}.{name}" for name in find_packages(folder))}

setup(
    packages=sorted(packages),
    package_dir={f"errata.{folder}": folder for folder in FOLDERS},
)
