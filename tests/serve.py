"""Apps on loopback."""

import contextlib
import socket
import threading
import time

import uvicorn


@contextlib.contextmanager
def served(app, host="127.0.0.1", port=0):
    """The address of an app that is served on loopback."""
    listener = socket.create_server((host, port))
    # Its own logging would close the handlers of others, and with absl's what pytest captures.
    config = uvicorn.Config(app, log_config=None, log_level="error", ws="none", lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://{host}:{listener.getsockname()[1]}"
    server.should_exit = server.force_exit = True
    thread.join(5)
    listener.close()
