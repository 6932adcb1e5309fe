"""A server of fastmcp that only checks access tokens, which another server issues.

usage: fastmcp_resource_server.py FOLDER PORT ISSUER"""
import sys
from pathlib import Path

import recording
from fastmcp import FastMCP
from fastmcp.server.auth import RemoteAuthProvider
from fastmcp.server.auth.providers.jwt import JWTVerifier

FOLDER, PORT, ISSUER = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
RESOURCE = f"http://127.0.0.1:{PORT}/mcp"

verifier = JWTVerifier(
    jwks_uri=f"{ISSUER}/.well-known/jwks.json", issuer=ISSUER, audience=RESOURCE, jwks_refresh_interval=0.1)
provider = RemoteAuthProvider(
    token_verifier=verifier, authorization_servers=[ISSUER], base_url=f"http://127.0.0.1:{PORT}",
    scopes_supported=["openid", "profile"])
server = FastMCP("notes", auth=provider)


@server.tool
def note() -> str:
    return "one"


recording.serve(server.http_app(stateless_http=True, json_response=True), PORT, FOLDER)
