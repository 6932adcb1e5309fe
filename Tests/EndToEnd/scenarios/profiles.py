"""Two users, side by side, and at two providers."""
from kit.after import nothing_kept, worked
from kit.client import PlainClient
from kit.signing_in import sign_in


def who(authctl, party, profile):
    answer = authctl.run("request", PlainClient(party).discovery["userinfo_endpoint"], "--profile", profile)
    return answer.object.get("sub") if answer.code == 0 else None


def play(world, facts, parties):
    authctl = world.authctl()
    subjects = {}
    for user, party in parties.items():
        result = sign_in(authctl, world.browser, party, user, "--profile", user)
        worked(facts, f"{user} signs in at {party.name}", result)
        subjects[user] = (result.event("signed_in") or {}).get("user", {}).get("id")
    for user, party in parties.items():
        subject = who(authctl, party, user)
        facts.check(f"{user}'s profile is {user}'s", subject and subject == subjects[user], (subject, subjects))
    tokens = {authctl.run("token", "--profile", user).out for user in parties}
    facts.equal("each has a separate token", len(tokens), 2)
    worked(facts, "alice signs out", authctl.run("logout", "--profile", "alice"))
    facts.check("bob is still signed in", who(authctl, parties["bob"], "bob") == subjects["bob"])
    nothing_kept(facts, authctl)


SCENARIOS = (
    ("glewlwyd: two users",
     lambda world, facts: play(world, facts, {"alice": world.at_glewlwyd(), "bob": world.at_glewlwyd()})),
    ("django-oauth-toolkit: two users",
     lambda world, facts: play(world, facts, {"alice": world.at_django(), "bob": world.at_django()})),
    ("a user at each",
     lambda world, facts: play(world, facts, {"alice": world.at_glewlwyd(), "bob": world.at_django()})),
)
