"""Accounts at an independent backend (django-allauth), by the small app: each step is killed where it waits."""
from kit import one_time_password


def signed_in(facts, text, told):
    return facts.check(text, told["signed-in"] and told["user"] == told["signed-in"], told)


def kept_no_secret(facts, *devices):
    leaks = [leak for device in devices for leak in device.leaks]
    facts.check("while a step waited, no file held a password or a code", not leaks, leaks)


def signing_up(world, facts):
    app, server, address = world.accounts(), world.allauth, "zoe@example.test"
    app.secrets.add("zoe-long-pw-1")
    facts.equal("a weak password is refused", app.run("sign-up", address, "zoe")["failed"], "weak_password")
    told = app.killed("sign-up", address, "zoe-long-pw-1")
    facts.equal("zoe signs up, and is asked for the code that came by e-mail", told["asked"], "confirmation")
    told = app.run("code", "AAAA-AAAA")
    facts.equal("opened again: a wrong code is refused, and asked for again", (told["failed"], told["asked"]),
                ("wrong_code", "confirmation"))
    first = server.code(address)
    told = app.killed("resend")
    facts.check("another code comes", told["asked"] == "confirmation" and server.code(address, 2) != first, told)
    facts.equal("the first one is not good any more", app.run("code", first)["failed"], "wrong_code")
    signed_in(facts, "the second one signs zoe in", app.run("code", server.code(address, 2)))
    facts.equal("she stays signed in", app.run("call")["called"], address)
    told = app.run("sign-out")
    facts.equal("she signs out, and nothing is owed", (told["user"], told["owed"]), ("none", "0"))
    told = app.run("password", address, "wrong")
    facts.equal("a wrong password is refused", told["failed"], "invalid_credentials")
    signed_in(facts, "her password signs her in", app.run("password", address, "zoe-long-pw-1"))
    kept_no_secret(facts, app)


def by_codes(world, facts):
    app, server = world.accounts(), world.allauth
    told = app.killed("phone-code", "+15550100001")
    facts.equal("bob is asked for the code that came to his phone", told["asked"], "sms")
    signed_in(facts, "opened again: it signs him in", app.run("code", server.code("+15550100001")))
    app.run("sign-out")
    told = app.killed("email-code", "bob@example.test")
    facts.equal("bob is asked for the code that came by e-mail", told["asked"], "email")
    signed_in(facts, "opened again: it signs him in", app.run("code", server.code("bob@example.test")))


def code_that_expires(world, facts):
    server = world.hasty_allauth
    app = world.accounts(server)
    app.killed("email-code", "bob@example.test")
    first = server.code("bob@example.test")
    server.wait_out("bob@example.test")
    told = app.run("code", first)
    facts.equal("a code that expired is refused as such, and the step stays", (told["failed"], told["asked"]),
                ("code_expired", "email"))
    app.killed("resend")
    signed_in(facts, "another one is sent, and signs bob in", app.run("code", server.code("bob@example.test", 2)))


def second_factor(world, facts):
    app, server = world.accounts(), world.allauth
    app.secrets.add("alice-pw")
    app.run("password", "alice@example.test", "alice-pw")
    told = app.killed("enrol", "enrolment")
    secret = told["shown"]
    facts.check("alice is shown the key for an authenticator app", told["asked"] == "enrolment" and secret, told)
    told = app.run("confirm", one_time_password.code(secret))
    facts.equal("opened again: the code needs her password first", told["failed"], "recent_sign_in_required")
    facts.equal("a wrong one is refused", app.run("confirm-password", "wrong")["failed"], "invalid_credentials")
    facts.equal("the right one leads back to the code", app.run("confirm-password", "alice-pw")["done"], "enrolment")
    facts.equal("a wrong code is refused", app.run("confirm", "000000")["failed"], "wrong_code")
    facts.equal("the right one enrols it", app.run("confirm", one_time_password.code(secret))["done"], "all")
    codes = (app.run("enrol", "recovery")["shown"] or "").split()
    facts.equal("she gets ten recovery codes", len(codes), 10)
    facts.equal("which she writes down", app.run("noted")["done"], "all")
    facts.equal("both are listed", sorted(app.run("factors").all("factor")), ["otp", "recovery"])
    app.run("sign-out")

    told = app.killed("password", "alice@example.test", "alice-pw")
    facts.equal("the password is not enough any more", (told["asked"], told["user"]), ("otp", "none"))
    told = app.killed("code", "000000")
    facts.equal("a wrong code keeps the attempt", (told["failed"], told["asked"]), ("wrong_code", "otp"))
    used = one_time_password.code(secret, 1)
    app.secrets.add(used)
    signed_in(facts, "opened again: the right one signs her in", app.run("code", used))
    app.run("sign-out")
    app.killed("password", "alice@example.test", "alice-pw")
    facts.equal("a code that was used is refused", app.run("code", used)["failed"], "wrong_code")
    facts.equal("she chooses a recovery code instead", app.killed("choose", "recovery_codes")["asked"], "recovery")
    signed_in(facts, "it signs her in", app.run("code", codes[0]))
    app.run("sign-out")
    app.killed("password", "alice@example.test", "alice-pw")
    app.run("choose", "recovery_codes")
    facts.equal("a second time it does not", app.run("code", codes[0])["failed"], "wrong_code")
    signed_in(facts, "another one does", app.run("code", codes[1]))
    kept_no_secret(facts, app)


def passkeys(world, facts):
    app = world.accounts()
    app.run("password", "carol@example.test", "carol-pw")
    told = app.killed("enrol", "passkey_registration")
    facts.equal("carol must confirm her password first", told["failed"], "recent_sign_in_required")
    facts.equal("opened again: she does", app.run("confirm-password", "carol-pw")["done"], "all")
    told = app.killed("enrol", "passkey_registration")
    facts.equal("she is asked for a new passkey", told["asked"], "passkey_registration")
    facts.equal("opened again: she adds one", app.run("add-passkey")["done"], "all")
    facts.equal("one is listed", app.run("factors").all("factor").count("passkey"), 1)
    app.run("sign-out")
    told = app.killed("passkey-unanswered", at="waits")
    facts.equal("signing in, she is asked for it", told["waits"], "passkey")
    told = app.run("status")
    facts.equal("opened again: no user is signed in", told["user"], "none")
    signed_in(facts, "the passkey signs her in", app.run("passkey"))
    other = world.accounts()
    facts.equal("a device without it does not", other.run("passkey")["user"], "none")


def forgotten_password(world, facts):
    app, server, address = world.accounts(), world.allauth, "dave@example.test"
    app.secrets.add("dave-new-pw-1")
    told = app.killed("reset-password", address)
    facts.equal("dave is sent a code", told["asked"], "email")
    facts.equal("opened again: a wrong one is refused", app.run("confirm", "AAAA-AAAA")["failed"], "wrong_code")
    app.look()
    told = app.run("confirm-and-choose", server.code(address), "dave-new-pw-1")
    facts.equal("the right one lets him choose another password", (told.all("asked"), told["done"]),
                (["new_password"], "all"))
    facts.equal("which signs no user in", told["user"], "none")
    facts.equal("the old one is refused", app.run("password", address, "dave-pw")["failed"], "invalid_credentials")
    signed_in(facts, "the new one signs him in", app.run("password", address, "dave-new-pw-1"))
    kept_no_secret(facts, app)


def another_address(world, facts):
    app, server, address = world.accounts(), world.allauth, "dave2@example.test"
    app.run("password", "dave@example.test", "dave-new-pw-1")
    told = app.killed("change-email", address)
    facts.equal("dave is asked for the code that went to the new address", told["asked"], "confirmation")
    facts.equal("until then the old one counts", app.run("call")["called"], "dave@example.test")
    facts.equal("a wrong one is refused", app.run("confirm", "AAAA-AAAA")["failed"], "wrong_code")
    facts.equal("the right one changes it", app.run("confirm", server.code(address))["done"], "all")
    facts.equal("the new one counts", app.run("call")["called"], address)


def other_devices(world, facts):
    here, there = world.accounts(), world.accounts()
    for device in (here, there):
        device.run("password", "erin@example.test", "erin-pw")
    listed = here.run("sessions").all("session")
    facts.equal("erin sees both of her sessions, and which is this one",
                sorted(line.split()[1] for line in listed), ["false", "true"])
    facts.check("she ends the other one", here.killed("end-others")["ended"])
    told = there.run("call")
    facts.check("which is signed out there at its next call", told["failed"] and told["user"] == "none", told)
    facts.equal("hers goes on", here.run("call")["called"], "erin@example.test")
    facts.equal("a wrong old password changes nothing",
                here.run("change-password", "wrong", "erin-new-pw-1")["failed"], "invalid_credentials")
    facts.equal("a new password is set", here.run("change-password", "erin-pw", "erin-new-pw-1")["done"], "all")
    told = here.run("call")
    facts.check("which ends her session here as well", told["failed"] and told["user"] == "none", told)
    signed_in(facts, "and signs her in", there.run("password", "erin@example.test", "erin-new-pw-1"))


SCENARIOS = (
    ("django-allauth: sign-up with a code by e-mail", signing_up),
    ("django-allauth: codes in place of a password", by_codes),
    ("django-allauth: a code that expires", code_that_expires),
    ("django-allauth: a second factor", second_factor),
    ("django-allauth: a passkey", passkeys),
    ("django-allauth: a forgotten password", forgotten_password),
    ("django-allauth: another address", another_address),
    ("django-allauth: sessions on other devices", other_devices),
)
