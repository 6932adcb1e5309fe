"""What these servers do when asked plainly: that they are what the other scenarios take them for.

A fact that fails here is news about a server, not about the library."""
import time

from kit import wire
from kit.client import PlainClient
from kit.waiting import until


def sign_in_plainly(world, facts, party):
    client = PlainClient(party)
    facts.equal("discovery names the issuer as it was asked for", client.discovery.get("issuer"), party.issuer)
    answer, redirect_uri, tokens = client.sign_in(world.browser, "alice")
    facts.equal("the browser brings the state back", answer.get("state"), client.state)
    facts.equal("and the issuer (RFC 9207)", answer.get("iss"), party.issuer)
    facts.check("the code buys access, refresh and ID token",
                {"access_token", "refresh_token", "id_token"} <= set(tokens.json), tokens)
    about = wire.get(client.discovery["userinfo_endpoint"], tokens.json.get("access_token"))
    facts.check("the access token opens userinfo", about.status == 200 and "sub" in about.json, about)
    return client, answer, redirect_uri, tokens.json


def glewlwyd(world, facts):
    party = world.at_glewlwyd()
    client, answer, redirect_uri, tokens = sign_in_plainly(world, facts, party)
    facts.check("its endpoints carry a double slash", "//api/" in client.discovery["token_endpoint"][7:])
    facts.equal("it writes the token type in lower case", tokens["token_type"], "bearer")
    facts.check("it leaves refresh_token out of its grant types",
                "refresh_token" not in client.discovery["grant_types_supported"])
    facts.check("it does not say that it sends the issuer",
                "authorization_response_iss_parameter_supported" not in client.discovery)

    renewed = client.refresh(tokens["refresh_token"]).json
    facts.check("a refresh brings another refresh token",
                renewed.get("refresh_token") not in (None, tokens["refresh_token"]), renewed)
    again = client.refresh(tokens["refresh_token"])
    facts.check("a spent refresh token: 400, and not a word", again.status == 400 and not again.body, again)
    ended = client.refresh(renewed["refresh_token"])
    facts.check("and the one that replaced it is dead too", ended.status == 400, ended)
    spent = client.exchange(answer["code"], redirect_uri)
    facts.check("a used code: 403 invalid_code",
                spent.status == 403 and spent.json.get("error") == "invalid_code", spent)
    refused = client.ask("revocation_endpoint", token=tokens["access_token"])
    facts.check("a public client may not revoke: 401", refused.status == 401, refused)
    other = wire.send("GET", client.authorization_url("http://127.0.0.1:1/callback"))
    facts.equal("a redirect URI with another port: 403, and no redirect", other.status, 403)


def glewlwyd_confidential(world, facts):
    client, _, _, tokens = sign_in_plainly(world, facts, world.at_glewlwyd(client_id="confidential"))
    about = client.ask("introspection_endpoint", token=tokens["access_token"])
    facts.check("a confidential client may introspect", about.json.get("active") is True, about)
    revoked = client.ask("revocation_endpoint", token=tokens["access_token"])
    about = client.ask("introspection_endpoint", token=tokens["access_token"])
    facts.check("and revoke", revoked.status == 200 and about.json.get("active") is False, f"{revoked}, {about}")
    wrong = wire.post(client.discovery["token_endpoint"], ("confidential", "wrong"), grant_type="refresh_token",
                      refresh_token=tokens["refresh_token"])
    facts.check("a wrong secret is refused", wrong.status in (400, 401, 403), wrong)


def django(world, facts):
    client, answer, redirect_uri, tokens = sign_in_plainly(world, facts, world.at_django())
    for name in ("device_authorization_endpoint", "revocation_endpoint"):
        facts.check(f"discovery leaves out {name}", name not in client.discovery)
    renewed = client.refresh(tokens["refresh_token"]).json
    facts.check("a refresh brings another refresh token",
                renewed.get("refresh_token") not in (None, tokens["refresh_token"]), renewed)
    again = client.refresh(tokens["refresh_token"])
    facts.check("a spent refresh token: 400 invalid_grant",
                again.status == 400 and again.json.get("error") == "invalid_grant", again)
    ended = client.refresh(renewed["refresh_token"])
    facts.check("and the one that replaced it is dead too", ended.status == 400, ended)
    spent = client.exchange(answer["code"], redirect_uri)
    facts.check("a used code: 400 invalid_grant",
                spent.status == 400 and spent.json.get("error") == "invalid_grant", spent)


def outage(world, facts):
    for server, party in ((world.glewlwyd, world.at_glewlwyd()), (world.django, world.at_django())):
        server.stop()
        try:
            wire.discover(party.issuer)
            down = False
        except OSError:
            down = True
        began = time.monotonic()
        server.start()
        facts.check(f"{party.name} can be stopped", down)
        until(lambda: wire.discover(party.issuer), "discovery")
        facts.check(f"{party.name} can be started again", True, time.monotonic() - began)


SCENARIOS = (
    ("glewlwyd, asked plainly", glewlwyd),
    ("glewlwyd, a confidential client", glewlwyd_confidential),
    ("django-oauth-toolkit, asked plainly", django),
    ("a server that goes and comes back", outage),
)
