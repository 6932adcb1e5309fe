"""Clients with a secret that expires"""
import time

from stage import Server


def play(stage, facts):
    # fastmcp gives a secret to each client that asks for one, as its metadata says that all do.
    notes = Server(stage, "fastmcp", "fastmcp_server.py", "6")
    notes.last(3)
    first, _ = stage.login(notes)
    facts.check("a client with a secret signs in", first.code == 0 and first.event("signed_in"), first)
    sent = notes.grants("authorization_code")
    facts.check("it authenticates with the secret", sent and all(
        (entry["authorization"] or "").startswith("Basic ") or entry["form"].get("client_secret") for entry in sent), sent)
    time.sleep(3.5)
    facts.equal("a token is refreshed while the secret is valid", (stage.token().code, notes.registrations()), (0, 1))
    time.sleep(7)
    expired = stage.token()
    facts.check("a refresh with an expired secret says what to do", first.code == 0 and expired.code == 3 and
                expired.tells_one_line, expired)
    notes.last(600)
    again, _ = stage.login(notes)
    facts.check("the next login takes a new secret and signs in", again.code == 0 and again.event("signed_in"), again)
    facts.equal("by one more registration", notes.registrations(), 2)
    facts.equal("the resource takes the token", stage.request(notes.resource).code, 0)
