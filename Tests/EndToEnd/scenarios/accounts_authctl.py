"""The same backend by authctl, to which it is one more kind of provider: killed where it waits, and continued."""
from kit import one_time_password
from kit.after import token, worked


def at(server):
    return "--provider", "allauth", "--base-url", server.base, "--storage", "file", "--json"


def log_in(authctl, server, method, username):
    return ("login", *at(server), "--method", method, "--username", username)


def killed(authctl, *arguments, stdin=None):
    """The challenge at which a command was killed, None where there was none."""
    running = authctl.start(*arguments, stdin=stdin, open_input=True)
    challenge = running.wait_for("challenge")
    running.kill()
    return challenge


def go_on(authctl, *lines, of=("login",)):
    return authctl.run(*of, "--continue", "--json", stdin="".join(f"{line}\n" for line in lines))


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


def enrol_authenticator(authctl, facts):
    """By a user: the key is shown at a terminal only."""
    screen = authctl.at_terminal("account", "factors", "--enrol", "otp")
    secret = screen.wait_for(r"key: ([A-Z2-7]+)")[1]
    screen.wait_for("> ")
    screen.type(one_time_password.code(secret))
    facts.check("the code that adds an authenticator needs her password first", screen.wait_for("Password: "),
                screen.said)
    screen.type("grace-pw")
    screen.wait_for("> ")
    screen.type(one_time_password.code(secret))
    facts.equal("then it is added", screen.finish(), 0)
    facts.check("the password is not shown", "grace-pw" not in screen.said)
    return secret


def second_factor(world, facts):
    authctl, server, name = world.authctl_allauth(), world.allauth, "grace@example.test"
    password = (*log_in(authctl, server, "password", name), "--password-stdin")
    refused = authctl.run(*password, stdin="wrong\n")
    facts.equal("a wrong password is refused", (refused.code, code_of(refused)), (4, "invalid_credentials"))
    worked(facts, "grace signs in with her password", authctl.run(*password, stdin="grace-pw\n"))
    secret = enrol_authenticator(authctl, facts)
    recovery = server.ask("GET", "account/authenticators/recovery-codes", token(authctl))["data"]["unused_codes"]
    listed = [entry.get("kind") for entry in authctl.run("account", "factors", "--json").events]
    facts.check("account factors lists it", "otp" in listed, listed)
    worked(facts, "she signs out", authctl.run("logout"))

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
    listed = here.run("account", "sessions", "--json").events
    others = [one["id"] for one in listed if not one["current"]]
    facts.check("account sessions lists them, and which is this one", others and len(others) < len(listed), listed)
    for one in others:
        worked(facts, "frank ends another one", here.run("account", "sessions", "--end", one, "--json"))
    result = there.run("token", "--min-ttl", "3600", "--json")
    facts.equal("a session that was ended elsewhere ends at the next refresh", (result.code, code_of(result)),
                (3, "session_rejected"))
    facts.equal("and is erased", there.run("status", "--json").object.get("state"), "signed_out")
    facts.check("the other one goes on", token(here, "--min-ttl", "55"))


def sign_up(world, facts):
    authctl, server, address = world.authctl_allauth(), world.allauth, "yan@example.test"
    challenge = killed(authctl, "account", "sign-up", *at(server), "--username", address, "--password-stdin",
                       stdin="yan-long-pw-1\n") or {}
    facts.equal("yan is asked for the code that came by e-mail", challenge.get("kind"), "confirmation")
    result = go_on(authctl, "AAAA-AAAA", server.code(address))
    facts.equal("killed and continued: a wrong code keeps the attempt, the right one signs him in",
                ([event["event"] for event in result.events], result.code), (["challenge", "challenge", "signed_in"], 0))
    facts.equal("as who he is", result.event("signed_in")["user"].get("email"), address)


def another_address(world, facts):
    authctl, server, address = world.authctl_allauth(), world.allauth, "yan2@example.test"
    worked(facts, "yan signs in", authctl.run(
        *log_in(authctl, server, "password", "yan@example.test"), "--password-stdin", stdin="yan-long-pw-1\n"))
    verify = ("account", "verify")
    challenge = killed(authctl, *verify, "--email", address, "--json") or {}
    facts.equal("he is asked for the code that went to the new address", challenge.get("kind"), "confirmation")
    result = go_on(authctl, "AAAA-AAAA", server.code(address), of=verify)
    worked(facts, "killed and continued: after a wrong one, the right one changes it", result)
    worked(facts, "he signs out", authctl.run("logout"))
    worked(facts, "the new address signs him in", authctl.run(
        *log_in(authctl, server, "password", address), "--password-stdin", stdin="yan-long-pw-1\n"))


def forgotten_password(world, facts):
    authctl, server, address = world.authctl_allauth(), world.allauth, "yan2@example.test"
    reset = ("account", "reset-password")
    count = len(server.sent(address))
    challenge = killed(authctl, *reset, *at(server), "--username", address) or {}
    facts.equal("yan is sent a code", challenge.get("kind"), "email")
    result = authctl.run(
        *reset, *at(server), "--continue",
        stdin=f'AAAA-AAAA\n{server.code(address, count + 1)}\n{{"password":"yan-new-pw-2"}}\n')
    worked(facts, "killed and continued: after a wrong one, the right one and another password", result)
    facts.equal("which signs no user in", authctl.run("status", "--json").object.get("state"), "signed_out")
    old = authctl.run(*log_in(authctl, server, "password", address), "--password-stdin", stdin="yan-long-pw-1\n")
    facts.equal("the old one is refused", (old.code, code_of(old)), (4, "invalid_credentials"))
    worked(facts, "the new one signs him in", authctl.run(
        *log_in(authctl, server, "password", address), "--password-stdin", stdin="yan-new-pw-2\n"))


SCENARIOS = (
    ("authctl at django-allauth: sign-up", sign_up),
    ("authctl at django-allauth: another address", another_address),
    ("authctl at django-allauth: a forgotten password", forgotten_password),
    ("authctl at django-allauth: codes in place of a password", by_codes),
    ("authctl at django-allauth: a second factor", second_factor),
    ("authctl at django-allauth: a session that was ended elsewhere", ended_elsewhere),
)
