"""Signed in through the browser, and still signed in later: the whole road, at both servers."""
from urllib.parse import parse_qs, urlsplit

from kit import wire
from kit.after import is_revoked, nothing_kept, refused, token, worked
from kit.client import PlainClient
from kit.resource import ResourceServer
from kit.signing_in import sign_in


def by_userinfo(party):
    endpoint = PlainClient(party).discovery["userinfo_endpoint"]

    def accepts(access_token):
        answer = wire.get(endpoint, access_token)
        return answer.json if answer.status == 200 else None

    return accepts


def by_introspection(party):
    client = PlainClient(party)
    endpoint = client.discovery.get("introspection_endpoint") or f"{party.issuer}/introspect/"

    def accepts(access_token):
        answer = wire.post(endpoint, (party.client_id, party.secret), token=access_token)
        return answer.json if answer.json.get("active") else None

    return accepts


def authorization_request(facts, party, url):
    query = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
    facts.check("the authorization request carries state, nonce and an S256 challenge",
                query.get("code_challenge_method") == "S256" and len(query.get("code_challenge", "")) == 43
                and len(query.get("state", "")) >= 22 and len(query.get("nonce", "")) >= 22, url)
    facts.check("it asks for a code, for this client, to return to 127.0.0.1",
                query.get("response_type") == "code" and query.get("client_id") == party.client_id
                and query.get("redirect_uri", "").startswith("http://127.0.0.1:"), url)


def sign_in_and_look(world, facts, party, authctl, *more):
    result = sign_in(authctl, world.browser, party, "alice", *more)
    if not worked(facts, "alice signs in in the browser", result):
        raise RuntimeError("no user is signed in")
    facts.check("the browser is told so", world.browser.text.strip(), world.browser.url)
    facts.check("with --json all of it is said on stdout", not result.err, result)
    event = result.event("signed_in") or {}
    facts.check("the event says who, until when, what for, and where it is kept",
                event.get("user", {}).get("id") and event.get("expires_at") and "openid" in event.get("scopes", [])
                and event.get("storage") == "file", event)
    authorization_request(facts, party, (result.event("authorization_url") or {}).get("url", ""))
    return event


def use(world, facts, party, authctl, api):
    status = authctl.run("status", "--json")
    facts.check("a new process knows it", status.code == 0 and status.object.get("state") == "signed_in"
                and status.object.get("issuer") == party.issuer, status)
    printed = authctl.run("token")
    facts.check("token prints the token and nothing else",
                printed.code == 0 and len(printed.out.split()) == 1 and printed.out.endswith("\n"), printed)
    userinfo = PlainClient(party).discovery["userinfo_endpoint"]
    answer = authctl.run("request", userinfo)
    facts.check(
        "request reaches userinfo at the issuer's origin", answer.code == 0 and answer.object.get("sub"), answer)
    answer = authctl.run("request", f"{api.origin}/notes")
    facts.check("and an API on an origin that was allowed", answer.code == 0 and answer.object.get("about"), answer)
    before = len(api.seen)
    other = api.origin.replace("127.0.0.1", "localhost")
    answer = authctl.run("request", f"{other}/notes")
    refused(facts, "and no origin that was not", answer, 7)
    facts.equal("to which nothing was sent", len(api.seen), before)


def step_away(world, facts, party, authctl):
    before = token(authctl)
    mark = party.witness.mark()
    party.server.stop()
    away = authctl.run("token")
    facts.check("the server is down: a token that is still valid is returned",
                away.code == 0 and away.out.strip() == before, away)
    party.server.start()
    back = authctl.run("token")
    facts.check("the server is back, in a new process: the same token, still signed in",
                back.code == 0 and back.out.strip() == before, back)
    facts.equal("and the provider was asked nothing", len(party.witness.since(mark)), 0)


def away_from_the_server(world, facts, party, authctl):
    """A token that must be refreshed while the server is down."""
    party.server.stop()
    away = authctl.run("token", "--min-ttl", "100000")
    facts.check("the server is down, and a token of that age was not to be had: exit 5, or the one that is valid",
                away.code in (0, 5), away)
    party.server.start()
    back = authctl.run("token", "--min-ttl", "100000")
    worked(facts, "the server is back: a refreshed token", back)


def leave(facts, party, authctl, dies=True):
    """`dies`: whether the server has any way to end a refresh token that this client may take."""
    refresh_token = party.witness.last_refresh_token()
    mark = party.witness.mark()
    left = authctl.run("logout")
    worked(facts, "alice signs out", left)
    nothing_kept(facts, authctl)
    refused(facts, "token has nothing to print", authctl.run("token"), 3)
    seen = [f"{exchange.method} {exchange.path} {exchange.status}" for exchange in party.witness.since(mark)]
    revoked = is_revoked(party, refresh_token)
    if dies:
        facts.check("the refresh token is revoked at the server", revoked, seen)
    else:
        facts.check("the server is not said to have been told, which would not listen",
                    revoked or "and at the provider" not in left.err, f"{left}; {seen}")


def whole_road(world, facts, party, accepts, dies=True):
    authctl = world.authctl()
    with ResourceServer(accepts) as api:
        sign_in_and_look(world, facts, party, authctl, "--allow-origin", api.origin)
        use(world, facts, party, authctl, api)
        step_away(world, facts, party, authctl)
        away_from_the_server(world, facts, party, authctl)
        leave(facts, party, authctl, dies)


def glewlwyd(world, facts):
    """A public client may not revoke there: its refresh token outlives the logout."""
    party = world.at_glewlwyd()
    whole_road(world, facts, party, by_userinfo(party), dies=False)


def glewlwyd_confidential(world, facts):
    party = world.at_glewlwyd(client_id="confidential")
    whole_road(world, facts, party, by_introspection(party))


def django(world, facts):
    """It does not say where to revoke, and takes the end of a session by GET only, in whose address no ID token is put:
    its refresh token outlives the logout, which says so."""
    party = world.at_django()
    whole_road(world, facts, party, by_introspection(world.at_django("confidential")), dies=False)


def django_confidential(world, facts):
    party = world.at_django("confidential")
    whole_road(world, facts, party, by_introspection(party), dies=False)


def django_that_says_where_to_revoke(world, facts):
    party = world.at_django(full=True)
    authctl = world.authctl()
    sign_in_and_look(world, facts, party, authctl)
    leave(facts, party, authctl)


def away_at_sign_out(world, facts):
    party = world.at_django(full=True)
    authctl = world.authctl()
    sign_in_and_look(world, facts, party, authctl)
    refresh_token = party.witness.last_refresh_token()
    party.server.stop()
    worked(facts, "alice signs out while the server is down", authctl.run("logout"))
    nothing_kept(facts, authctl)
    party.server.start()
    worked(facts, "the server is back, and bob signs in", sign_in(authctl, world.browser, party, "bob"))
    facts.check("by which alice's refresh token is revoked", is_revoked(party, refresh_token))
    facts.check("and bob's is not", token(authctl, "--min-ttl", "100000"))


SCENARIOS = (
    ("glewlwyd: sign in, use, step away, sign out", glewlwyd),
    ("glewlwyd: the same as a confidential client", glewlwyd_confidential),
    ("django-oauth-toolkit: sign in, use, step away, sign out", django),
    ("django-oauth-toolkit: the same as a confidential client", django_confidential),
    ("django-oauth-toolkit, where discovery names the revocation endpoint", django_that_says_where_to_revoke),
    ("django-oauth-toolkit: signing out while it is down", away_at_sign_out),
)
