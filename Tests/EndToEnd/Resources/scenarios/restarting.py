"""The server lost its registrations and tokens: one more registration, in the same login"""
import time

from stage import Server


def play(stage, facts):
    notes, other = Server(stage, "fastmcp", "fastmcp_server.py"), Server(stage, "other", "fastmcp_server.py")
    stage.login(other, profile="other")
    kept = stage.token(profile="other").out.strip()
    notes.last(2)
    before, _ = stage.login(notes)
    notes.restart()
    time.sleep(3.5)
    expired = stage.token()
    facts.check("a refresh that the server rejects ends the session, and says to sign in", before.code == 0 and
                expired.code == 3 and expired.tells_one_line, expired)
    notes.last(600)
    again, _ = stage.login(notes)
    facts.check("the next login succeeds", again.code == 0 and again.event("signed_in"), again)
    old, new = (result.event("registered") or {} for result in (before, again))
    facts.check("it registers anew", old.get("client_id") and new.get("client_id") and
                old["client_id"] != new["client_id"], (old, new))
    facts.equal("once", notes.registrations(), 2)
    facts.equal("the resource takes the new token", stage.request(notes.resource).code, 0)

    notes.restart()
    third, _ = stage.login(notes)
    facts.check("a login while the session is valid registers anew as well", third.code == 0 and third.event("registered"),
                third)
    facts.equal("once", notes.registrations(), 3)
    facts.equal("the resource takes its token", stage.request(notes.resource).code, 0)
    facts.equal("the session of another resource is as it was",
                (stage.token(profile="other").out.strip() == kept, other.registrations(), stage.request(
                    other.resource, profile="other").code), (True, 1, 0))
    crossed = stage.request(other.resource)
    facts.equal("a resource's token is not sent to the other one", crossed.code, 7)

    valid = stage.token()
    notes.restart()
    refused = stage.request(notes.resource)
    facts.check("a server that rejects token and refresh token ends the session", valid.code == 0 and
                refused.code in (3, 8) and stage.token().code == 3, refused)
