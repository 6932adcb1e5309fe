"""An account for a guest, an authenticator app, and a choice of second factors."""
import base64
import hashlib
import hmac
import struct
import time


def guest(world, page, facts):
    page.choose_line("supabase")
    page.to_methods()
    page.press("method.anonymous")
    page.wait_step("session")
    facts.check("a guest signs in without a name", page.has("#session-card dl"))
    page.press("session.sign_out.button")
    facts.check("what a guest would lose is said before it is lost", page.wait_for('button[value="session.loss.confirm"]'))
    page.press("session.loss.confirm")
    page.wait_step("methods")


def authenticator(world, page, facts):
    page.choose_line("supabase")
    sign_in(page, "ada@example.com", "correct horse")
    page.wait_step("session")
    page.press("account")
    page.wait_for("#product h2")
    page.leave('#product button[value^="enrol."]')
    key = page.wait(lambda: page.text("[data-part=key]"), "the key of the authenticator")
    page.fill("code", one_time_password(key))
    page.press("submit")
    page.wait_for('#product button[value^="factor."]')
    facts.check("an authenticator app is added with its first code", True)
    page.press("home")
    page.wait_step("session")
    sign_in(page, "ada@example.com", "correct horse")
    page.wait_step("code")
    # The password of this half minute was used to add it.
    page.fill("code", one_time_password(key, later=1))
    page.press("submit")
    page.wait_step("session")
    facts.check("from then on it is asked for", "ada@example.com" in page.text("#product"))
    page.press("account")
    page.leave('#product button[value^="factor."]')
    page.wait(
        lambda: page.has("#product h2") and not page.has('#product button[value^="factor."]'),
        "the account without it")
    page.press("home")
    page.wait_step("session")


def choice(world, page, facts):
    page.choose_line("supabase")
    sign_in(page, "mary@example.com", "proof of stake")
    page.wait_step("factors")
    facts.equal("a user with two factors chooses one", len(page.driver.find('#product button[value^="factor."]')), 2)
    choose(page, "authenticator app")
    page.wait_step("code")
    page.press("code.other.button")
    page.wait_step("factors")
    choose(page, "text message")
    page.wait_step("code")
    page.fill("code", page.new_code("+491701112222"))
    page.press("submit")
    page.wait_step("session")
    facts.check("the code of the one that was chosen signs in", "mary@example.com" in page.text("#product"))
    page.to_methods()
    page.choose_line("api")


def choose(page, name):
    """The factor with these words on its button."""
    page.press(page.driver.script(
        "return [...document.querySelectorAll('#product button[value^=\"factor.\"]')]"
        ".find(e => e.innerText.includes(arguments[0]))?.value", name))


def sign_in(page, address, password):
    page.to_methods()
    page.press("method.password")
    page.wait_step("form")
    page.fill("user_name", address)
    page.fill("password", password)
    page.press("submit")


def one_time_password(key, later=0):
    """RFC 6238, six digits of SHA-1 each half minute."""
    text = key.replace(" ", "").upper()
    secret = base64.b32decode(text + "=" * (-len(text) % 8))
    digest = hmac.new(secret, struct.pack(">Q", int(time.time()) // 30 + later), hashlib.sha1).digest()
    offset = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[offset:offset + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


PARTS = (
    ("a guest", guest), ("an authenticator app", authenticator), ("a choice of second factors", choice))
