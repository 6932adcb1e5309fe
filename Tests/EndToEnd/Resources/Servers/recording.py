"""Runs a server of notes on loopback and records each request to it, with what a client is not meant to send there."""
import json
import urllib.parse

import uvicorn


class Recording:
    """An application whose requests are recorded, a JSON object a line."""

    def __init__(self, app, log):
        self.app = app
        self.log = log

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        body, more = b"", True
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
        headers = {name.decode().lower(): value.decode() for name, value in scope["headers"]}
        form = {}
        if headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
            form = dict(urllib.parse.parse_qsl(body.decode()))
        entry = {
            "method": scope["method"], "path": scope["path"], "authorization": headers.get("authorization"), "form": form,
            "query": dict(urllib.parse.parse_qsl(scope["query_string"].decode())), "status": 0}
        was_read = False

        async def read_again():
            nonlocal was_read
            if was_read:
                return await receive()
            was_read = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def watched(message):
            if message["type"] == "http.response.start":
                entry["status"] = message["status"]
                with open(self.log, "a") as log:
                    log.write(json.dumps(entry) + "\n")
            await send(message)

        await self.app(scope, read_again, watched)


def serve(app, port, folder):
    uvicorn.run(
        Recording(app, folder / "requests.jsonl"), host="127.0.0.1", port=port, log_level="warning",
        timeout_graceful_shutdown=1)


def lifetime(folder):
    """How many seconds the next access token is valid, as the check says at the moment."""
    return int((folder / "lifetime").read_text())
