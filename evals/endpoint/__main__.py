"""Serve the simulated endpoint on loopback; its URL is printed first."""

import json
from argparse import ArgumentParser

from errata.evals.endpoint.app import Endpoint
from errata.evals.endpoint.running import serve
from errata.evals.endpoint.settings import Settings


def main() -> None:
    """Read the options and serve until the process is ended."""
    parser = ArgumentParser(prog="python -m errata.evals.endpoint", description=__doc__)
    parser.add_argument("--port", type=int, default=8182, help="0: a free one")
    parser.add_argument("--settings", type=json.loads, default={}, help="those of Settings, JSON")
    args = parser.parse_args()
    serve(Endpoint(Settings(**args.settings)).app, args.port)


if __name__ == "__main__":
    main()
