"""Registrations at nanoidp, which are managed and lost at a restart"""
from stage import Identity, Server


def play(stage, facts):
    identity = Identity(stage, "nanoidp", registers=True)
    notes = Server(stage, "fastmcp", "fastmcp_resource_server.py", identity.issuer)

    def registrations():
        return identity.count('"POST /register HTTP/1.1" 201')

    first, _ = stage.login(notes)
    facts.check("a login registers and signs in", first.code == 0 and first.event("registered") and
                first.event("signed_in"), first)
    facts.equal("the resource takes the token", stage.request(notes.resource).code, 0)
    refreshed = stage.token("--min-ttl", "3600")
    facts.check("a registered client refreshes the token", refreshed.code == 0 and notes.accepts(refreshed.out.strip()),
                refreshed)
    stage.login(notes)
    facts.equal("a second login registers nothing", registrations(), 1)

    identity.restart()
    again, _ = stage.login(notes)
    facts.check("a login after the restart succeeds", again.code == 0 and again.event("signed_in"), again)
    old, new = (result.event("registered") or {} for result in (first, again))
    facts.check("it registers anew", new.get("client_id") and old.get("client_id") != new["client_id"], (old, new))
    facts.equal("once", registrations(), 2)
    facts.equal("the resource takes the new token", stage.request(notes.resource).code, 0)

    forgotten = stage.run("logout", "--forget")
    facts.equal("logout --forget removes the registration at the server, too",
                (forgotten.code, identity.count(f'"DELETE /register/{new.get("client_id")} HTTP/1.1" 204')), (0, 1))
    last, _ = stage.login(notes)
    facts.equal("the next login registers", (last.code, registrations()), (0, 3))
    identity.restart()
    gone = stage.run("logout", "--forget")
    facts.check("a registration that the server lost is forgotten as well", gone.code == 0 and "is kept" not in gone.err,
                gone)
