"""The server of the Model Context Protocol's own SDK, with a small authorization server behind its routes.

usage: mcp_server.py FOLDER PORT"""
import secrets
import sys
import time
from pathlib import Path

import recording
from mcp.server.auth.provider import (
    AccessToken, AuthorizationCode, OAuthAuthorizationServerProvider, RefreshToken, construct_redirect_uri)
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions, RevocationOptions
from mcp.server.mcpserver import MCPServer
from mcp.shared.auth import OAuthToken

FOLDER, PORT = Path(sys.argv[1]), int(sys.argv[2])
ORIGIN = f"http://127.0.0.1:{PORT}"


class Provider(OAuthAuthorizationServerProvider):
    """Keeps all in memory, asks no user, and binds each token to the resource that was asked for."""

    def __init__(self):
        self.clients, self.codes, self.access, self.refreshing = {}, {}, {}, {}

    async def get_client(self, client_id):
        return self.clients.get(client_id)

    async def register_client(self, client_info):
        self.clients[client_info.client_id] = client_info

    async def authorize(self, client, params):
        code = AuthorizationCode(
            code=secrets.token_hex(20), scopes=params.scopes or ["notes"], expires_at=time.time() + 60,
            client_id=client.client_id, code_challenge=params.code_challenge, redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly, resource=params.resource)
        self.codes[code.code] = code
        return construct_redirect_uri(str(params.redirect_uri), code=code.code, state=params.state)

    async def load_authorization_code(self, client, authorization_code):
        return self.codes.get(authorization_code)

    async def exchange_authorization_code(self, client, authorization_code):
        del self.codes[authorization_code.code]
        return self.tokens(client, authorization_code.scopes, authorization_code.resource)

    async def load_refresh_token(self, client, refresh_token):
        return self.refreshing.get(refresh_token)

    async def exchange_refresh_token(self, client, refresh_token, scopes):
        del self.refreshing[refresh_token.token]
        return self.tokens(client, scopes, refresh_token.resource)

    async def load_access_token(self, token):
        found = self.access.get(token)
        return found if found and found.expires_at >= time.time() else None

    async def revoke_token(self, token):
        self.access.pop(token.token, None)
        self.refreshing.pop(token.token, None)

    def tokens(self, client, scopes, resource):
        seconds = recording.lifetime(FOLDER)
        access = AccessToken(
            token=secrets.token_hex(20), client_id=client.client_id, scopes=scopes, resource=resource,
            expires_at=int(time.time()) + seconds)
        refresh = RefreshToken(
            token=secrets.token_hex(20), client_id=client.client_id, scopes=scopes, resource=resource)
        self.access[access.token], self.refreshing[refresh.token] = access, refresh
        return OAuthToken(
            access_token=access.token, refresh_token=refresh.token, expires_in=seconds, scope=" ".join(scopes))


server = MCPServer(
    "notes", auth_server_provider=Provider(), auth=AuthSettings(
        issuer_url=ORIGIN, resource_server_url=f"{ORIGIN}/mcp", required_scopes=["notes"], validate_token_resource=True,
        client_registration_options=ClientRegistrationOptions(
            enabled=True, valid_scopes=["notes"], default_scopes=["notes"]),
        revocation_options=RevocationOptions(enabled=True)))


@server.tool()
def note() -> str:
    return "one"


recording.serve(server.streamable_http_app(stateless_http=True, json_response=True), PORT, FOLDER)
