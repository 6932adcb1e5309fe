"""The same backend by authctl, to which it is one more kind of provider: killed where it waits, and continued."""
from kit import one_time_password
from kit.after import token, worked


def log_in(authctl, server, method, username):
    return ("login", "--provider", "allauth", "--base-url", server.base, "--storage", "file", "--json", "--method",
            method, "--username", username)


def killed(authctl, *arguments, stdin=None):
    """The challenge at which a command was killed, None where there was none."""
    running = authctl.start(*arguments, stdin=stdin, open_input=True)
    challenge = running.wait_for("challenge")
    running.kill()
    return challenge


def go_on(authctl, *lines):
    return authctl.run("login", "--continue", "--json", stdin="".join(f"{line}\n" for line in lines))


def code_of(result):
    return (result.event("error") or {}).get("code")


def by_codes(world, facts):
    authctl, server = world.authctl_allauth(), world.allauth
    for method, name, kind in (
            ("phone-code", "+15550100005", "sms"), ("email-code", "frank@example.test", "email")):
        challenge = killed(authctl, *log_in(authctl, server, method, name)) or {}
        facts.equal(f"{method}: frank is asked for the code that came", (challenge.get("kind"),
                    challenge.get("destination")), (kind, name))
        status = authctl.run("status", "--json")
        facts.check("killed there, status says that a step is pending",
                    status.code == 3 and status.object.get("state") == "challenged", status)
        result = go_on(authctl, "AAAA-AAAA", '{"resend":true}', server.code(name))
        facts.check("continued: a wrong code, another one sent, and the first one is not good any more",
                    result.code != 0 and len([e for e in result.events if e.get("event") == "challenge"]) == 4, result)
        worked(facts, "continued again: the one that was sent last signs him in", go_on(authctl, server.code(name, 2)))
        methods = [event.get("id") for event in authctl.run("methods", "--json").events]
        facts.equal("methods lists what can be done here", methods, ["password", "email-code", "phone-code"])
        worked(facts, "frank signs out", authctl.run("logout"))


def second_factor(world, facts):
    authctl, server, name = world.authctl_allauth(), world.allauth, "grace@example.test"
    password = (*log_in(authctl, server, "password", name), "--password-stdin")
    refused = authctl.run(*password, stdin="wrong\n")
    facts.equal("a wrong password is refused", (refused.code, code_of(refused)), (4, "invalid_credentials"))
    worked(facts, "grace signs in with her password", authctl.run(*password, stdin="grace-pw\n"))
    access = token(authctl)
    server.ask("POST", "auth/reauthenticate", access, {"password": "grace-pw"})
    secret = server.ask("GET", "account/authenticators/totp", access)["meta"]["secret"]
    server.ask("POST", "account/authenticators/totp", access, {"code": one_time_password.code(secret)})
    recovery = server.ask("GET", "account/authenticators/recovery-codes", access)["data"]["unused_codes"]
    worked(facts, "she adds an authenticator app elsewhere, and signs out here", authctl.run("logout"))

    challenge = killed(authctl, *password, stdin="grace-pw\n") or {}
    facts.equal("the password is not enough any more", challenge.get("kind"), "otp")
    used = one_time_password.code(secret, 1)
    result = go_on(authctl, "000000", used)
    facts.equal("killed and continued: a wrong code keeps the attempt, the right one signs her in",
                ([event["event"] for event in result.events], result.code), (["challenge", "challenge", "signed_in"], 0))
    kept = b"".join(path.read_bytes() for path in authctl.state.rglob("*") if path.is_file())
    facts.check("no file holds a code or the password", used.encode() not in kept and b"grace-pw" not in kept)
    authctl.run("logout")
    killed(authctl, *password, stdin="grace-pw\n")
    result = go_on(authctl, used)
    facts.check("a code that was used is refused, and asked for again",
                result.code != 0 and "wrong" in result.err, result)
    result = go_on(authctl, '{"choose":"recovery_codes"}', recovery[0])
    worked(facts, "she chooses a recovery code, which signs her in", result)
    worked(facts, "and signs out", authctl.run("logout"))
    killed(authctl, *password, stdin="grace-pw\n")
    result = go_on(authctl, '{"choose":"recovery_codes"}', recovery[0])
    facts.check("it works once", result.code != 0, result)
    worked(facts, "another one does", go_on(authctl, recovery[1]))


def ended_elsewhere(world, facts):
    here, there, server = world.authctl_allauth(), world.authctl_allauth(), world.allauth
    for authctl, number in ((here, 1), (there, 2)):
        count = len(server.sent("frank@example.test"))
        killed(authctl, *log_in(authctl, server, "email-code", "frank@example.test"))
        worked(facts, f"frank signs in on device {number}", go_on(
            authctl, server.code("frank@example.test", count + 1)))
    access = token(here)
    others = [one["id"] for one in server.ask("GET", "auth/sessions", access)["data"] if not one["is_current"]]
    server.ask("DELETE", "auth/sessions", access, {"sessions": others})
    result = there.run("token", "--min-ttl", "3600", "--json")
    facts.equal("a session that was ended elsewhere ends at the next refresh", (result.code, code_of(result)),
                (3, "session_rejected"))
    facts.equal("and is erased", there.run("status", "--json").object.get("state"), "signed_out")
    facts.check("the other one goes on", token(here, "--min-ttl", "55"))


SCENARIOS = (
    ("authctl at django-allauth: codes in place of a password", by_codes),
    ("authctl at django-allauth: a second factor", second_factor),
    ("authctl at django-allauth: a session that was ended elsewhere", ended_elsewhere),
)
