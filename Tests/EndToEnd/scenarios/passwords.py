"""The grant that hands the password to the client: discouraged, and still asked for."""
from kit.after import nothing_kept, refused, token, worked
from kit.signing_in import arguments


def log_in(authctl, party, user, password):
    words = ("--flow", "password", "--username", user, "--password-stdin", "--storage", "file")
    return authctl.run(*arguments(party, *words, secret_folder=authctl.home), stdin=password + "\n")


def play(world, facts, party, *codes):
    authctl = world.authctl()
    refused(facts, "a wrong password", log_in(authctl, party, "alice", "wrong"), *codes)
    nothing_kept(facts, authctl)
    worked(facts, "the right one", log_in(authctl, party, "alice", "alice-pw"))
    facts.check("token prints a token", token(authctl), authctl.run("token"))
    refused(facts, "a wrong password again", log_in(authctl, party, "alice", "wrong"), *codes)
    facts.check("and the session that existed is kept", token(authctl), authctl.run("status", "--json"))


def glewlwyd(world, facts):
    """A wrong password is answered with 403 and an empty body there, as a proxy would."""
    play(world, facts, world.at_glewlwyd(client_id="confidential").but(scope="profile email"), 4, 1)


def django(world, facts):
    play(world, facts, world.at_django("trusted").but(scope="profile email"), 4)


SCENARIOS = (
    ("glewlwyd: the password grant", glewlwyd),
    ("django-oauth-toolkit: the password grant", django),
)
