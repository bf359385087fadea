"""SerpAPI by google-search-results' client, within our limits."""

from asyncio import to_thread
from typing import Any

from httpx2 import Client, Response
from serpapi import GoogleSearch

from errata.tools.net.bounded import bounded
from errata.tools.net.endpoints import REPLY_BYTES, Limits
from errata.tools.web.replies import Reply, read_object, repeated


class BoundedSearch(GoogleSearch):  # type: ignore[misc]  # the package has no types
    """A search whose server may be another, and whose time and reply are bounded."""

    def __init__(self, params: dict[str, Any], server: str, seconds: float) -> None:
        """A search with a query's parameters."""
        super().__init__(params)
        self.BACKEND, self.timeout = server, seconds

    def get_response(self, path: str = "/search") -> Response:
        """The server's response; raises HTTPError if none comes, or it is an error."""
        url, params = self.construct_url(path)
        with Client(timeout=self.timeout, **bounded(REPLY_BYTES)) as client:
            return client.get(url, params=params).raise_for_status()


async def search_google(params: dict[str, Any], server: str, limits: Limits) -> Reply:
    """What SerpAPI replies; its client waits in a thread of its own.

    Raises SearchError as `request` does.
    """

    async def attempt() -> Reply:
        search = BoundedSearch({**params}, server, limits.timeout)
        return read_object(await to_thread(search.get_results, "/search.json"))

    return await repeated(attempt, limits)
