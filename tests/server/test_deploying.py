"""langgraph.json agrees with the methods, the image and the compose file with langgraph.json."""

import shutil
import subprocess
import sys
from pathlib import Path

import yaml

from errata.server.settings import ServerSettings


def test_the_image_is_what_the_server_would_build(root, tmp_path):
    folder = tmp_path / "errata"
    folder.mkdir()
    for name in ("langgraph.json", "pyproject.toml"):
        shutil.copy(root / name, folder)
    command = [Path(sys.executable).with_name("langgraph"), "dockerfile", "../Dockerfile"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    dockerfile = (tmp_path / "Dockerfile").read_text()
    assert dockerfile == (root / "deploy" / "Dockerfile").read_text(), "run `make image`"
    install = next(line for line in dockerfile.splitlines() if "limits" in line)
    assert ">" not in install, "a shell would write what is after it to a file"


def test_the_compose_file_is_consistent(root):
    compose = yaml.safe_load((root / "deploy" / "compose.yaml").read_text())
    services = compose["services"]
    api, volumes = services["api"], compose["volumes"]
    assert (root / "deploy" / api["build"]["context"]).resolve() == root
    assert (root / api["build"]["dockerfile"]).is_file()
    assert set(api["depends_on"]) == {"postgres", "redis"} <= set(services)
    assert "/ok" in api["healthcheck"]["test"][-1]
    assert api["environment"]["ERRATA_AUTH"] == "on"
    known = {f"ERRATA_{name.upper()}" for name in ServerSettings.model_fields}
    assert {name for name in api["environment"] if name.startswith("ERRATA_")} <= known
    for service in services.values():
        assert service["healthcheck"]
        assert {name.partition(":")[0] for name in service.get("volumes", ())} <= {*volumes}


def test_no_image_holds_secrets_or_state(root):
    ignored = (root / ".dockerignore").read_text().splitlines()
    assert {".env", "deploy/keys", ".langgraph_api", ".venv", ".git"} <= set(ignored)
