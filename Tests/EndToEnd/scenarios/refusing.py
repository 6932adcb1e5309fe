"""Users who mistype or decline, servers that refuse, and answers that are not to be believed."""
from urllib.parse import parse_qs, urlencode, urlsplit

from kit import wire
from kit.after import nothing_kept, refused, worked
from kit.client import PlainClient, Redirects
from kit.signing_in import destination, sign_in, through_browser

import djangotoolkit.pages


def wrong_password(world, facts, party):
    authctl = world.authctl()

    def act(url):
        party.pages.fail_to_log_in(world.browser, url, "alice")
        there = world.browser.url
        facts.check("a wrong password: the page stays", not there.startswith(destination(url)), there)
        party.pages.correct_password(world.browser, "alice", destination(url))

    worked(facts, "the right one then signs in", through_browser(authctl, world.browser, party, act))


def declined(world, facts):
    """glewlwyd has no button to decline."""
    party = world.at_django("asking")
    authctl = world.authctl()
    result = through_browser(
        authctl, world.browser, party,
        lambda url: djangotoolkit.pages.decline(world.browser, url, "alice", destination(url)))
    # This provider announces its name in every answer, and leaves it out where a user declines (RFC 9207 §2.4).
    refused(facts, "alice declines, and the answer does not say whose it is", result, 7)
    nothing_kept(facts, authctl)
    result = through_browser(
        authctl, world.browser, party,
        lambda url: djangotoolkit.pages.sign_in_consenting(world.browser, url, "alice", destination(url)))
    worked(facts, "alice consents", result)


def partly_granted(world, facts):
    party = world.at_glewlwyd(client_id="asking")
    authctl = world.authctl()
    result = through_browser(
        authctl, world.browser, party,
        lambda url: party.pages.sign_in_granting(world.browser, url, "alice", ["profile"], destination(url)))
    worked(facts, "alice grants less than was asked for, and is signed in", result)
    scopes = (result.event("signed_in") or {}).get("scopes")
    granted = (party.witness.since(0, "/token")[-1].json or {}).get("scope", "").split()
    facts.check("the scopes told are the scopes granted", sorted(scopes or []) == sorted(granted), (scopes, granted))


def no_user_returns(world, facts, party):
    authctl = world.authctl()
    result = through_browser(authctl, world.browser, party, lambda url: None, "--timeout", "2")
    refused(facts, "no user returns in time", result, 5)
    nothing_kept(facts, authctl)


def answering(party, change):
    """Takes the browser's place: brings an answer to the loopback listener that `change` has had its hands on."""

    def act(url):
        query = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
        answer = {"code": "made-up", "state": query["state"], "iss": party.issuer}
        act.answers.append(wire.get(query["redirect_uri"] + "?" + urlencode(change(answer))))

    act.answers = []
    return act


def not_believed(world, facts, party):
    for text, change, timeout in (
        # It ends nothing: the command waits for another answer until its time is up.
        ("an answer with another state", lambda answer: {**answer, "state": "another"}, "5"),
        ("an answer from another issuer", lambda answer: {**answer, "iss": "http://127.0.0.1:1"}, "300"),
    ):
        authctl = world.authctl()
        act = answering(party, change)
        mark = party.witness.mark()
        result = through_browser(authctl, world.browser, party, act, "--timeout", timeout)
        refused(facts, text, result, 7, *((5,) if "state" in text else ()))
        facts.equal("no code goes to the server", len(party.witness.since(mark, "/token")), 0)
        nothing_kept(facts, authctl)


def used_code(world, facts, party):
    """The code of another exchange, which the server has seen before."""
    answer, _, _ = PlainClient(party).sign_in(world.browser, "bob")
    authctl = world.authctl()
    result = through_browser(
        authctl, world.browser, party, answering(party, lambda expected: {**expected, "code": answer["code"]}))
    refused(facts, "a code that was used", result, 4)
    nothing_kept(facts, authctl)


def wrong_secret(world, facts, party):
    authctl = world.authctl()
    result = sign_in(authctl, world.browser, party.but(secret="wrong"), "alice")
    refused(facts, "a wrong client secret", result, 4)
    nothing_kept(facts, authctl)


def port_in_use(world, facts):
    party = world.at_glewlwyd()
    authctl = world.authctl()
    with Redirects(party.redirect_port):
        result = sign_in(authctl, world.browser, party, "alice")
    refused(facts, "a redirect port that another program has", result, 1)
    nothing_kept(facts, authctl)


def unknown_issuer(world, facts):
    authctl = world.authctl()
    for text, party, codes in (
        ("an issuer that is not there", world.at_glewlwyd("missing"), (5, 7, 1, 64)),
        ("an issuer with a slash too many", world.at_glewlwyd().but(issuer=world.at_glewlwyd().issuer + "/"), (7,)),
    ):
        refused(facts, text, sign_in(authctl, world.browser, party, "alice"), *codes)
        nothing_kept(facts, authctl)


SCENARIOS = (
    ("glewlwyd: a wrong password", lambda world, facts: wrong_password(world, facts, world.at_glewlwyd())),
    ("django-oauth-toolkit: a wrong password", lambda world, facts: wrong_password(world, facts, world.at_django())),
    ("django-oauth-toolkit: consent", declined),
    ("glewlwyd: part of what was asked for", partly_granted),
    ("glewlwyd: no user returns", lambda world, facts: no_user_returns(world, facts, world.at_glewlwyd())),
    ("glewlwyd: answers that are not to be believed",
     lambda world, facts: not_believed(world, facts, world.at_glewlwyd())),
    ("django-oauth-toolkit: answers that are not to be believed",
     lambda world, facts: not_believed(world, facts, world.at_django())),
    ("glewlwyd: a used code", lambda world, facts: used_code(world, facts, world.at_glewlwyd())),
    ("django-oauth-toolkit: a used code", lambda world, facts: used_code(world, facts, world.at_django())),
    ("glewlwyd: a wrong client secret",
     lambda world, facts: wrong_secret(world, facts, world.at_glewlwyd(client_id="confidential"))),
    ("django-oauth-toolkit: a wrong client secret",
     lambda world, facts: wrong_secret(world, facts, world.at_django("confidential"))),
    ("glewlwyd: a redirect port in use", port_in_use),
    ("glewlwyd: issuers that are not", unknown_issuer),
)
