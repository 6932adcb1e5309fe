"""The server of the protocol's own SDK, restarted"""
import time

from stage import Server


def play(stage, facts):
    notes = Server(stage, "sdk", "mcp_server.py")
    notes.last(2)
    first, _ = stage.login(notes)
    facts.check("a login registers and signs in", first.code == 0 and first.event("registered") and
                first.event("signed_in"), first)
    time.sleep(3.5)
    notes.last(600)
    opened = stage.request(notes.resource)
    facts.check("an expired token is refreshed, and the resource takes it, which checks what it is for",
                opened.code == 0 and '"serverInfo"' in opened.out, opened)
    facts.equal("by one refresh", len(notes.grants("refresh_token")), 1)
    again, _ = stage.login(notes)
    facts.equal("a second login registers nothing", (again.code, notes.registrations()), (0, 1))
    notes.restart()
    third, _ = stage.login(notes)
    facts.check("a login after a restart registers anew", third.code == 0 and third.event("registered"), third)
    facts.equal("once", notes.registrations(), 2)
    facts.equal("the resource takes the new token", stage.request(notes.resource).code, 0)
    used = stage.token().out.strip()
    facts.equal("a logout revokes the token", (notes.accepts(used), stage.run("logout").code, notes.accepts(used)),
                (True, 0, False))
