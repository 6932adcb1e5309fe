"""A code shown on one device and approved on another."""
from kit.after import nothing_kept, refused, token, until_left, worked
from kit.signing_in import with_device


def approved(world, facts, party):
    authctl = world.authctl()
    mark = party.witness.mark()
    result = with_device(
        authctl, world.browser, party, lambda event: party.pages.approve_device(world.browser, event, "alice"))
    event = result.event("device_code") or {}
    facts.check("the event says where to go, what to type, and for how long",
                event.get("verification_uri") and event.get("user_code") and event.get("expires_in"), result)
    worked(facts, "alice approves, and is signed in", result)
    polls = party.witness.since(mark, "/token")
    early = [round(after.at - before.at, 2) for before, after in zip(polls, polls[1:]) if after.at - before.at < 0.95]
    facts.check("the server was asked no more often than it allows", not early, early)
    facts.check("token prints a token", token(authctl), authctl.run("token"))
    worked(facts, "alice signs out", authctl.run("logout"))


def django_approved(world, facts):
    """There is no ID token in its answer, whatever the scope."""
    approved(world, facts, world.at_django("device", full=True))


def refreshed(world, facts, party):
    authctl = world.authctl()
    result = with_device(
        authctl, world.browser, party, lambda event: party.pages.approve_device(world.browser, event, "alice"))
    worked(facts, "alice approves", result)
    until_left(authctl, 0)
    worked(facts, "the token expires, and is refreshed", authctl.run("token"))


def denied(world, facts):
    """glewlwyd has no button to deny."""
    party = world.at_django("device", full=True)
    authctl = world.authctl()
    result = with_device(
        authctl, world.browser, party, lambda event: party.pages.deny_device(world.browser, event, "alice"))
    refused(facts, "alice denies", result, 4)
    nothing_kept(facts, authctl)


def expired(world, facts):
    authctl = world.authctl()
    result = with_device(authctl, world.browser, world.at_glewlwyd("hasty"), lambda event: None)
    refused(facts, "no user approves while the code is good", result, 4)
    nothing_kept(facts, authctl)


def unsupported(world, facts):
    authctl = world.authctl()
    result = with_device(authctl, world.browser, world.at_django("device"), lambda event: None)
    refused(facts, "an issuer that names no device endpoint", result, 64)
    nothing_kept(facts, authctl)


SCENARIOS = (
    ("glewlwyd: a device approved", lambda world, facts: approved(world, facts, world.at_glewlwyd())),
    ("django-oauth-toolkit: a device approved", django_approved),
    ("glewlwyd: a device's token refreshed", lambda world, facts: refreshed(world, facts, world.at_glewlwyd("brief"))),
    ("django-oauth-toolkit: a device denied", denied),
    ("glewlwyd: a device code that expires", expired),
    ("django-oauth-toolkit as it comes: no device endpoint is named", unsupported),
)
