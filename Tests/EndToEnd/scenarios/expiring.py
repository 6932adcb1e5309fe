"""Tokens grow old: what is refreshed, what is kept, and what ends."""
from concurrent.futures import ThreadPoolExecutor

from kit.after import nothing_kept, refused, token, until_left, worked
from kit.client import PlainClient
from kit.resource import ResourceServer
from kit.signing_in import sign_in
from scenarios.staying import by_introspection, by_userinfo


def signed_in(world, facts, party, *more):
    authctl = world.authctl()
    result = sign_in(authctl, world.browser, party, "alice", *more)
    if not worked(facts, f"alice signs in at {party.name}", result):
        raise RuntimeError("no user is signed in")
    return authctl


def expiry(world, facts, party):
    authctl = signed_in(world, facts, party)
    first = token(authctl)
    until_left(authctl, 0)
    mark = party.witness.mark()
    second = authctl.run("token")
    facts.check("the token expires: the next command has another",
                second.code == 0 and second.out.strip() not in ("", first), second)
    facts.equal("by one refresh", len(party.witness.refreshes(mark)), 1)
    answer = authctl.run("request", PlainClient(party).discovery["userinfo_endpoint"])
    worked(facts, "which opens userinfo", answer)
    until_left(authctl, 0)
    third = authctl.run("token")
    facts.check("and again, with what the refresh brought", third.code == 0 and third.out != second.out, third)


def outage(world, facts, party):
    authctl = signed_in(world, facts, party)
    until_left(authctl, 0)
    party.server.stop()
    refused(facts, "expired while the server is down", authctl.run("token"), 5)
    status = authctl.run("status", "--json")
    facts.check("the session is kept, and said to be stale",
                status.code == 0 and status.object.get("state") in ("stale", "signed_in"), status)
    party.server.start()
    worked(facts, "the server is back: refreshed, without another sign-in", authctl.run("token"))


def rotation_under_load(world, facts, party):
    authctl = signed_in(world, facts, party)
    until_left(authctl, 40)
    mark = party.witness.mark()
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda _: authctl.run("token", "--min-ttl", "40"), range(8)))
    failures = [str(result) for result in results if result.code != 0]
    facts.check("eight processes at once: every one has a token", not failures, failures)
    facts.equal("the same one", len({result.out for result in results}), 1)
    facts.equal("by one refresh", len(party.witness.refreshes(mark)), 1)
    later = authctl.run("token", "--min-ttl", "100000")
    worked(facts, "and the family of refresh tokens is alive: it is refreshed once more", later)


def session_that_fades(world, facts):
    """The refresh token expires, which glewlwyd answers with 400 and an empty body: not a word of `invalid_grant`."""
    party = world.at_glewlwyd("fading")
    authctl = signed_in(world, facts, party)
    until_left(authctl, -3)
    ended = authctl.run("token")
    refused(facts, "a refresh refused with 400 and no word", ended, 3)
    nothing_kept(facts, authctl)
    again = sign_in(authctl, world.browser, party, "alice")
    worked(facts, "signing in again helps", again)


def session_revoked_elsewhere(world, facts):
    """Another client used the refresh token: the server ends the family, with `invalid_grant`."""
    party = world.at_django(full=True)
    authctl = signed_in(world, facts, party)
    stolen = party.witness.last_refresh_token()
    PlainClient(party).refresh(stolen)
    until_left(authctl, 0)
    refused(facts, "a refresh refused with invalid_grant", authctl.run("token"), 3)
    nothing_kept(facts, authctl)


def refresh_token_that_stays(world, facts):
    """No rotation: answers to a refresh bring no refresh token, and the old one is kept."""
    party = world.at_glewlwyd("lasting")
    authctl = signed_in(world, facts, party)
    for time in ("first", "second"):
        until_left(authctl, 0)
        mark = party.witness.mark()
        worked(facts, f"a {time} refresh", authctl.run("token"))
        seen = [exchange.form.get("refresh_token") for exchange in party.witness.refreshes(mark)]
        facts.equal(f"the {time} time with the same refresh token", seen, [party.witness.last_refresh_token()])


def unauthorized(world, facts, party, revoke, accepts):
    """The token is valid by the clock and the server has revoked it: the API says 401."""
    with ResourceServer(accepts) as api:
        authctl = signed_in(world, facts, party, "--allow-origin", api.origin)
        revoke(token(authctl))
        mark = party.witness.mark()
        answer = authctl.run("request", f"{api.origin}/notes")
        facts.check("an API says 401: refreshed once, sent once more, and answered",
                    answer.code == 0 and [status for _, _, status in api.seen] == [401, 200], f"{answer} {api.seen}")
        facts.equal("by one refresh", len(party.witness.refreshes(mark)), 1)


def glewlwyd_unauthorized(world, facts):
    party = world.at_glewlwyd(client_id="confidential")
    client = PlainClient(party)
    unauthorized(
        world, facts, party, lambda value: client.ask("revocation_endpoint", token=value), by_introspection(party))


def django_unauthorized(world, facts):
    party = world.at_django()
    unauthorized(world, facts, party, party.server.expire, by_userinfo(party))


SCENARIOS = (
    ("glewlwyd: expiry and refresh", lambda world, facts: expiry(world, facts, world.at_glewlwyd("brief"))),
    ("django-oauth-toolkit: expiry and refresh", lambda world, facts: expiry(world, facts, world.at_django(full=True))),
    ("glewlwyd: expiry while it is down", lambda world, facts: outage(world, facts, world.at_glewlwyd("brief"))),
    ("django-oauth-toolkit: expiry while it is down",
     lambda world, facts: outage(world, facts, world.at_django(full=True))),
    ("glewlwyd: rotation, eight processes",
     lambda world, facts: rotation_under_load(world, facts, world.at_glewlwyd())),
    ("django-oauth-toolkit: rotation, eight processes",
     lambda world, facts: rotation_under_load(world, facts, world.at_django())),
    ("glewlwyd: a session that fades", session_that_fades),
    ("django-oauth-toolkit: a session ended by reuse", session_revoked_elsewhere),
    ("glewlwyd: no rotation", refresh_token_that_stays),
    ("glewlwyd: 401 from an API", glewlwyd_unauthorized),
    ("django-oauth-toolkit: 401 from an API", django_unauthorized),
)
