"""`doctor` looks at an issuer without signing in."""
from kit.after import nothing_kept, refused
from kit.untrusted import UntrustedServer


def healthy(world, facts, party):
    authctl = world.authctl()
    result = authctl.run("doctor", "--issuer", party.issuer, "--json")
    facts.check("the issuer is found to be well", result.code == 0, result)
    facts.check("each finding is an object on a separate line",
                len(result.events) == len(result.out.splitlines()) > 1, result)
    print("        " + "\n        ".join(result.out.splitlines()))
    spoken = authctl.run("doctor", "--issuer", party.issuer)
    facts.check("and said in sentences without --json", spoken.code == 0 and not spoken.events, spoken)


def ill(world, facts):
    party = world.at_glewlwyd()
    authctl = world.authctl()
    result = authctl.run("doctor", "--issuer", party.issuer + "/", "--json")
    facts.check("an issuer that calls itself otherwise is not well", result.code == 7, result)
    world.django.stop()
    result = authctl.run("doctor", "--issuer", world.django.issuer, "--json")
    world.django.start()
    refused(facts, "an issuer that is down", result, 5)


def untrusted(world, facts):
    """Rule 14: TLS is validated, and nothing is sent where it cannot be."""
    authctl = world.authctl()
    with UntrustedServer(world.folder) as server:
        result = authctl.run("doctor", "--issuer", server.issuer, "--json")
        refused(facts, "an issuer whose certificate no authority signed", result, 7)
        facts.check("is told to be that", '"check":"tls"' in result.out, result)
        login = authctl.run("login", "--issuer", server.issuer, "--client-id", "app", "--no-browser", "--json")
        refused(facts, "no user signs in there", login, 7)
        facts.check("and nothing is asked of it", not server.requests, server.requests)
        nothing_kept(facts, authctl)


SCENARIOS = (
    ("glewlwyd: doctor", lambda world, facts: healthy(world, facts, world.at_glewlwyd())),
    ("django-oauth-toolkit: doctor", lambda world, facts: healthy(world, facts, world.at_django())),
    ("issuers that are not well", ill),
    ("an issuer that cannot prove who it is", untrusted),
)
