"""Tokens bound to a key (DPoP, RFC 9449), at an issuer that insists on its nonces."""
import time

from kit import wire
from kit.client import Redirects
from kit.road import Step
from kit.waiting import until


def proved(exchange):
    names = [name.lower() for name, _ in exchange.headers]
    return names.count("dpop") == 1


def play(world, facts):
    party = world.at_glewlwyd("bound")
    userinfo = wire.discover(party.issuer)["userinfo_endpoint"]
    program = world.products.build()
    folder = world.folder / "homes" / "road"
    mark = party.witness.mark()

    step = Step(program, "sign-in", party, folder, userinfo)
    page = step.page()
    world.browser.forget()
    with Redirects(party.redirect_port) as redirects:
        if page:
            party.pages.sign_in(world.browser, page, "alice", redirects.uri)
        redirect = until(lambda: redirects.arrived and redirects.arrived.pop(0), "a redirect") if page else None
    told = step.finish(f"http://127.0.0.1:{party.redirect_port}{redirect}")
    facts.check("alice signs in", "signed-in" in told, told)
    facts.equal("and userinfo answers", told.get("answered"), "200")

    asked = party.witness.since(mark, "/token")
    facts.check("every request for tokens carries one proof", asked and all(map(proved, asked)), list(map(str, asked)))
    facts.check("where the issuer asks for its nonce, the request is sent once more",
                [exchange.status for exchange in asked] in ([400, 200], [401, 200], [200]), list(map(str, asked)))
    facts.equal("the token type is DPoP", (asked[-1].json or {}).get("token_type", "").lower(), "dpop")
    used = party.witness.since(mark, "/userinfo")
    schemes = {dict(exchange.headers).get("Authorization", "").split(" ")[0] for exchange in used}
    facts.check("the token is sent as DPoP, with a proof", schemes == {"DPoP"} and all(map(proved, used)), schemes)

    access_token = (asked[-1].json or {}).get("access_token")
    stolen = wire.get(userinfo, access_token)
    facts.check("without the key, the token is no good", stolen.status in (400, 401, 403), stolen)

    expires = asked[-1].at + 3
    until(lambda: time.time() > expires, "the token expires")
    mark = party.witness.mark()
    told = Step(program, "call", party, folder, userinfo).finish()
    facts.check("opened again, with an expired token: refreshed with the same key, and answered",
                told.get("answered") == "200", told)
    facts.check("by refreshes with proofs", party.witness.refreshes(mark) and
                all(map(proved, party.witness.refreshes(mark))), list(map(str, party.witness.refreshes(mark))))
    told = Step(program, "leave", party, folder, userinfo).finish()
    facts.equal("signed out", told.get("left"), "none")


SCENARIOS = (("glewlwyd: tokens bound to a key", play),)
