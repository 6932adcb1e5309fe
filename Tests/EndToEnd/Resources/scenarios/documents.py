"""A client metadata document at nanoidp, for a server that only checks tokens: no registration at all"""
import base64
import json
import time

from stage import DocumentServer, Identity, Server


def claims(token):
    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def play(stage, facts):
    document = DocumentServer(stage.folder)
    identity = Identity(stage, "nanoidp", certificate=document.authority, hosts=[document.host])
    notes = Server(stage, "fastmcp", "fastmcp_resource_server.py", identity.issuer)
    result, page = stage.login(notes, "--client-metadata", document.address)
    facts.check("the address of the app's document is all that the server needs", result.code == 0 and
                result.event("signed_in"), result)
    facts.equal("nothing is registered", (result.event("registered"), identity.count("POST /register")), (None, 0))
    facts.equal("the server fetched the document", bool(document.requests), True)
    token = stage.token().out.strip()
    found = claims(token) if token.count(".") == 2 else {}
    audience = found.get("aud")
    facts.check("the token is for the resource", notes.resource in (
        audience if isinstance(audience, list) else [audience]), audience)
    facts.equal("its client is the document", found.get("client_id", found.get("azp")), document.address)
    facts.equal("the resource takes it", stage.request(notes.resource).code, 0)
    facts.equal("the resource server is asked for nothing but its metadata and its own address",
                {entry["path"] for entry in notes.requests} <= {
                    "/mcp", "/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"}, True)

    identity.restart(rotates_keys=True)
    again, _ = stage.login(notes, "--client-metadata", document.address)
    facts.check("rotated signing keys do not break the next sign-in", again.code == 0 and again.event("signed_in"), again)
    time.sleep(0.2)
    opened = stage.request(notes.resource)
    facts.equal("the resource takes the token that they signed", opened.code, 0)

    none, _ = stage.login(notes, profile="none")
    facts.check("a server that offers no way to be a client is rejected, and the page is not shown",
                none.code == 4 and none.event("authorization_url") is None, none)
    document.document["client_id"] = "https://127.0.0.1/other.json"
    identity.restart()
    running = stage.start_login(notes, "--client-metadata", document.address, "--timeout", "5", profile="other")
    wrong, _ = stage.in_browser(running)
    facts.check("the server shows no sign-in for a document that names another client", wrong.code != 0 and
                wrong.event("signed_in") is None, wrong)
