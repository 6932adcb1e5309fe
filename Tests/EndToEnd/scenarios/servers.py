"""These servers, asked plainly: they behave as the other scenarios assume.

A fact that fails here is news about a server, not about the library."""
import base64
import json
import time
from urllib.parse import urlencode

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

    refreshed = client.refresh(tokens["refresh_token"]).json
    facts.check("a refresh brings another refresh token",
                refreshed.get("refresh_token") not in (None, tokens["refresh_token"]), refreshed)
    again = client.refresh(tokens["refresh_token"])
    facts.check("a spent refresh token: 400, and not a word", again.status == 400 and not again.body, again)
    ended = client.refresh(refreshed["refresh_token"])
    facts.check("and the one that replaced it is revoked, too", ended.status == 400, ended)
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
    refreshed = client.refresh(tokens["refresh_token"]).json
    facts.check("a refresh brings another refresh token",
                refreshed.get("refresh_token") not in (None, tokens["refresh_token"]), refreshed)
    again = client.refresh(tokens["refresh_token"])
    facts.check("a spent refresh token: 400 invalid_grant",
                again.status == 400 and again.json.get("error") == "invalid_grant", again)
    ended = client.refresh(refreshed["refresh_token"])
    facts.check("and the one that replaced it is revoked, too", ended.status == 400, ended)
    spent = client.exchange(answer["code"], redirect_uri)
    facts.check("a used code: 400 invalid_grant",
                spent.status == 400 and spent.json.get("error") == "invalid_grant", spent)


def end_of_session(world, facts):
    """Both take GET alone, though they must take POST too (OpenID Connect RP-Initiated Logout 1.0 §2)."""
    for party, refused, ends in ((world.at_glewlwyd(), 404, False), (world.at_django(), 403, True)):
        client = PlainClient(party)
        _, _, tokens = client.sign_in(world.browser, "alice")
        endpoint = client.discovery["end_session_endpoint"]
        hint = {"id_token_hint": tokens.json["id_token"], "client_id": party.client_id}
        posted = wire.post(endpoint, **hint)
        facts.equal(f"{party.name}: POST to the end of the session is refused", posted.status, refused)
        facts.equal(f"{party.name}: GET leads on", wire.get(f"{endpoint}?{urlencode(hint)}").status, 302)
        answer = client.refresh(tokens.json["refresh_token"])
        facts.equal(f"{party.name}: which ends the refresh token, {ends}", answer.status == 400, ends)


def header(token):
    """The header of a JWT."""
    encoded = token.split(".")[0]
    return json.loads(base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)))


def signatures(world, facts):
    for plugin in ("strict", "rs512", "ps256", "es256", "eddsa"):
        _, _, tokens = PlainClient(world.at_glewlwyd(plugin)).sign_in(world.browser, "alice")
        wanted = {"strict": "RS256", "eddsa": "EdDSA"}.get(plugin, plugin.upper())
        facts.equal(f"the plugin {plugin} signs with {wanted}", header(tokens.json["id_token"])["alg"], wanted)
    party = world.at_glewlwyd("es384")
    client = PlainClient(party)
    _, _, tokens = client.sign_in(world.browser, "alice")
    key = wire.get(client.discovery["jwks_uri"]).json["keys"][0]
    facts.equal("a key on P-384 signs what is called ES512, which is P-521's (RFC 7518)",
                (key["crv"], header(tokens.json["id_token"])["alg"]), ("P-384", "ES512"))


def device(world, facts, party, endpoint):
    grant = "urn:ietf:params:oauth:grant-type:device_code"
    client = PlainClient(party)

    def ask():
        return wire.post(endpoint, client_id=party.client_id, scope=party.scope).json

    def poll(started):
        return client.ask("token_endpoint", grant_type=grant, device_code=started["device_code"])

    started = ask()
    pending = poll(started)
    facts.check("before anybody approves: authorization_pending",
                pending.json.get("error") == "authorization_pending", pending)
    facts.equal("the device code may be asked for every second", started.get("interval"), 1)
    world.browser.forget()
    party.pages.approve_device(world.browser, started, "alice")
    answers = []

    def approved():
        answers.append(poll(started))
        return answers[-1].status == 200

    until(approved, "tokens for the device", 20, 1.1)
    tokens = answers[-1]
    facts.check("after: access and refresh token", {"access_token", "refresh_token"} <= set(tokens.json), tokens)
    return ask, poll, tokens


def glewlwyd_device(world, facts):
    party = world.at_glewlwyd()
    device(world, facts, party, PlainClient(party).discovery["device_authorization_endpoint"])


def django_device(world, facts):
    party = world.at_django("device")
    ask, poll, tokens = device(world, facts, party, f"{party.issuer}/device-authorization/")
    facts.check("and no ID token, though openid was granted",
                "openid" in tokens.json["scope"].split() and "id_token" not in tokens.json, tokens)
    started = ask()
    world.browser.forget()
    party.pages.deny_device(world.browser, started, "alice")
    answer = poll(started)
    facts.check("denied: access_denied", answer.json.get("error") == "access_denied", answer)


def passwords(world, facts):
    for party in (world.at_glewlwyd(client_id="confidential"), world.at_django("trusted")):
        client = PlainClient(party)
        for password in ("alice-pw", "wrong"):
            answer = client.ask(
                "token_endpoint", grant_type="password", username="alice", password=password, scope="profile email")
            facts.check(f"{party.name}: the password grant with {password}",
                        (answer.status == 200) == (password != "wrong"), answer)


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
    ("the end of a session", end_of_session),
    ("glewlwyd, its signatures", signatures),
    ("glewlwyd, a device", glewlwyd_device),
    ("django-oauth-toolkit, a device", django_device),
    ("the password grant", passwords),
    ("a server that goes and comes back", outage),
)
