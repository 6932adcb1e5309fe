"""A server with an authorization server of its own: one registration, and tokens for it alone."""
import re
import urllib.parse

from kit.resource import ResourceServer
from stage import Server


def play(stage, facts):
    notes = Server(stage, "fastmcp", "fastmcp_server.py")
    result, page = stage.login(notes)
    facts.check("a resource is signed in to by its address alone", result.code == 0 and result.event("signed_in"), result)
    registered = result.event("registered") or {}
    facts.equal("the registration is reported with the client and the issuer",
                (bool(registered.get("client_id")), registered.get("issuer")), (True, f"{notes.origin}/"))
    facts.equal("the app registers once", notes.registrations(), 1)
    query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(page or "").query))
    facts.equal("the page is asked for a token for the resource, with PKCE",
                (query.get("resource"), query.get("code_challenge_method"), query.get("client_id")),
                (notes.resource, "S256", registered.get("client_id")))
    exchanges = notes.grants("authorization_code")
    facts.equal("so is the token endpoint", [entry["form"].get("resource") for entry in exchanges], [notes.resource])
    facts.check("the scopes are those that the resource names", "notes" in query.get("scope", "").split(), query)

    opened = stage.request(notes.resource)
    facts.check("a request to the resource carries the token and opens a session of the protocol",
                opened.code == 0 and '"serverInfo"' in opened.out, opened)
    token = stage.token()
    facts.check("another process reads the token", token.code == 0 and notes.accepts(token.out.strip()), token.code)
    below = stage.request(f"{notes.resource}/missing")
    facts.equal("a path below the resource belongs to it", (below.code, notes.requests[-1]["path"]), (8, "/mcp/missing"))

    with ResourceServer(lambda token: None) as elsewhere:
        other = stage.request(f"{elsewhere.origin}/mcp")
        facts.equal("nothing is sent to another origin", (other.code, elsewhere.seen), (7, []))
    for path in ("/other", "/mcpx", "/", "/mcp/../other", "/mcp/%2e%2e/other"):
        before = len(notes.requests)
        outside = stage.request(f"{notes.origin}{path}")
        facts.equal(f"nothing is sent to {path}, outside the resource", (outside.code, notes.requests[before:]), (7, []))

    before = len(notes.requests)
    status = stage.run("status", "--json")
    facts.equal("status says so without a request",
                (status.object.get("state"), len(notes.requests)), ("signed_in", before))

    again, _ = stage.login(notes)
    facts.check("a second login signs in", again.code == 0 and again.event("signed_in"), again)
    facts.equal("and registers nothing", (notes.registrations(), again.event("registered")), (1, None))

    used = stage.token().out.strip()
    logout = stage.run("logout")
    facts.equal("a logout ends the session", (bool(used), logout.code, stage.token().code), (True, 0, 3))
    facts.check("and the server no longer takes the token", used and not notes.accepts(used), (
        logout.err, [entry for entry in notes.requests if entry["path"] == "/revoke"][-1:]))
    third, _ = stage.login(notes)
    facts.equal("it keeps the registration", (third.code, notes.registrations()), (0, 1))
    forgotten = stage.run("logout", "--forget")
    fourth, _ = stage.login(notes)
    facts.equal("logout --forget does not: the next login registers",
                (forgotten.code, fourth.code, notes.registrations(), bool(fourth.event("registered"))), (0, 0, 2, True))

    told = "".join(
        result.out + result.err for result in stage.results if result.arguments[0] not in ("token", "request"))
    facts.equal("nothing but token and request prints a token", re.findall("test_(?:access|refresh)_token_", told), [])
