"""Issuers with demands: pushed requests, and signatures of every kind."""
from kit.after import nothing_kept, refused, token, worked
from kit.signing_in import sign_in


def pushed(world, facts):
    party = world.at_glewlwyd("pushed")
    authctl = world.authctl()
    mark = party.witness.mark()
    result = sign_in(authctl, world.browser, party, "alice")
    worked(facts, "alice signs in where requests must be pushed", result)
    url = (result.event("authorization_url") or {}).get("url", "")
    facts.check("the URL holds nothing but the client and where the request is",
                "request_uri=" in url and "code_challenge" not in url and "scope" not in url, url)
    facts.equal("which was pushed once", len(party.witness.since(mark, "/par")), 1)
    facts.check("token prints a token", token(authctl), authctl.run("token"))


def pushed_confidential(world, facts):
    result = sign_in(
        world.authctl(), world.browser, world.at_glewlwyd("pushed", client_id="confidential"), "alice")
    worked(facts, "and as a confidential client", result)


def signed_with(plugin):
    def play(world, facts):
        authctl = world.authctl()
        result = sign_in(authctl, world.browser, world.at_glewlwyd(plugin), "alice")
        worked(facts, f"alice signs in with an ID token signed with {plugin.upper()}", result)

    return play


def signed_with_eddsa(world, facts):
    """Its `at_hash` is made with SHA-256. No standard names the hash; Ed25519's own is SHA-512."""
    authctl = world.authctl()
    result = sign_in(authctl, world.browser, world.at_glewlwyd("eddsa"), "alice")
    if result.code == 0:
        worked(facts, "alice signs in with an ID token signed with EdDSA", result)
    else:
        refused(facts, "an at_hash with another hash than Ed25519's", result, 7)
        nothing_kept(facts, authctl)


def mislabelled(world, facts):
    """glewlwyd's ES512 on a P-384 key, which no algorithm of that name is."""
    authctl = world.authctl()
    result = sign_in(authctl, world.browser, world.at_glewlwyd("es384"), "alice")
    refused(facts, "an ID token whose algorithm is not its key's", result, 7)
    nothing_kept(facts, authctl)


SCENARIOS = (
    ("glewlwyd: pushed authorization requests", pushed),
    ("glewlwyd: pushed authorization requests, confidential", pushed_confidential),
    *((f"glewlwyd: {plugin.upper()}", signed_with(plugin)) for plugin in ("rs512", "ps256", "es256")),
    ("glewlwyd: EdDSA", signed_with_eddsa),
    ("glewlwyd: a signature with a wrong name", mislabelled),
)
