"""How a server starts: `make serve`, `langgraph dev` in public, the image, the compose file."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from errata.server.settings import ServerSettings
from langgraph_server import OPTIONS, ROOT

CLI = Path(sys.executable).with_name("langgraph")


def test_the_image_is_what_the_server_would_build(root, tmp_path):
    folder = tmp_path / "errata"
    folder.mkdir()
    for name in ("langgraph.json", "pyproject.toml"):
        shutil.copy(root / name, folder)
    command = [CLI, "dockerfile", "../Dockerfile"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    dockerfile = (tmp_path / "Dockerfile").read_text()
    assert dockerfile == (root / "deploy" / "Dockerfile").read_text(), "run `make image`"
    install = next(line for line in dockerfile.splitlines() if "limits" in line)
    assert ">" not in install, "a shell would write what is after it to a file"


def test_the_compose_file_is_consistent(root):
    compose = yaml.safe_load((root / "deploy" / "compose.yaml").read_text())
    services = compose["services"]
    api = services["api"]
    assert (root / "deploy" / api["build"]["context"]).resolve() == root
    assert (root / api["build"]["dockerfile"]).is_file()
    assert set(api["depends_on"]) == {"postgres", "redis"} <= set(services)
    assert "/ok" in api["healthcheck"]["test"][-1]
    assert api["environment"]["ERRATA_AUTH"] == "on"
    known = {f"ERRATA_{name.upper()}" for name in ServerSettings.model_fields}
    assert {name for name in api["environment"] if name.startswith("ERRATA_")} <= known
    for service in services.values():
        assert service["healthcheck"]
        named = {volume.partition(":")[0] for volume in service.get("volumes", ())}
        assert named <= set(compose["volumes"])


def test_no_image_holds_secrets_or_state(root):
    ignored = (root / ".dockerignore").read_text().splitlines()
    assert {".env", "deploy/keys", ".langgraph_api", ".venv", ".git"} <= set(ignored)


@pytest.mark.slow
def test_make_serve_starts_a_server_as_that_of_these_tests_with_the_demo_as_its_corpus():
    if not shutil.which("make"):
        pytest.skip("needs make, which is not here")
    options = ("-o", ".venv/dev", f"BIN={CLI.parent}", "--dry-run", "--no-print-directory")
    printed = subprocess.check_output(("make", *options, "serve", "PORT=2025"), cwd=ROOT, text=True)
    words = printed.replace("\\\n", " ").split()
    assert {"ERRATA_AUTH=off", 'ERRATA_CORPUS="demo/corpus"'} <= {*words}
    assert words[-7:] == [str(CLI), "dev", *OPTIONS, "--port", "2025"]


@pytest.mark.slow
def test_a_public_server_without_keys_does_not_start(tmp_path):
    """`.env` comes before the shell, so the variables of the start do not help."""
    shutil.copy(ROOT / "langgraph.json", tmp_path)
    (tmp_path / ".env").write_text("ERRATA_AUTH=off\n")
    command = (CLI, "dev", "--no-browser", "--no-reload", "--host", "0.0.0.0", "--port", "0")
    env = os.environ | {"LANGGRAPH_CLI_NO_ANALYTICS": "1", "ERRATA_AUTH": "on"}
    options = {"cwd": tmp_path, "env": env, "timeout": 60, "text": True, "capture_output": True}
    ended = subprocess.run(command, **options, check=False)
    assert ended.returncode
    told = "ERRATA_AUTH=off lets everybody in, and this server is bound to 0.0.0.0"
    assert told in ended.stdout + ended.stderr
