"""A server of fastmcp with an authorization server of its own, which keeps everything in memory.

usage: fastmcp_server.py FOLDER PORT [SECONDS-OF-A-SECRET]"""
import sys
from pathlib import Path

import recording
from fastmcp import FastMCP
from fastmcp.server.auth.auth import ClientRegistrationOptions, RevocationOptions
from fastmcp.server.auth.providers import in_memory

FOLDER, PORT = Path(sys.argv[1]), int(sys.argv[2])
SECRET = int(sys.argv[3]) if len(sys.argv) > 3 else None


class Provider(in_memory.InMemoryOAuthProvider):
    async def exchange_authorization_code(self, *arguments):
        in_memory.DEFAULT_ACCESS_TOKEN_EXPIRY_SECONDS = recording.lifetime(FOLDER)
        return await super().exchange_authorization_code(*arguments)

    async def exchange_refresh_token(self, *arguments):
        in_memory.DEFAULT_ACCESS_TOKEN_EXPIRY_SECONDS = recording.lifetime(FOLDER)
        return await super().exchange_refresh_token(*arguments)


provider = Provider(
    base_url=f"http://127.0.0.1:{PORT}", required_scopes=["notes"],
    client_registration_options=ClientRegistrationOptions(
        enabled=True, client_secret_expiry_seconds=SECRET, valid_scopes=["notes", "notes.write"]),
    revocation_options=RevocationOptions(enabled=True))
server = FastMCP("notes", auth=provider)


@server.tool
def note() -> str:
    return "one"


recording.serve(server.http_app(json_response=True), PORT, FOLDER)
