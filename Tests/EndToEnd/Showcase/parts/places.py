"""The ways to the pages, one for each screen."""


def to_form(page):
    page.to_methods()
    page.press("method.password")
    page.wait_step("form")


def to_failure(page):
    page.sign_in("ada", "a wrong one")
    page.wait(page.message, "a message")


def to_code(page):
    page.sign_in("mary")
    page.wait_step("code")


def to_sign_up(page):
    page.to_methods()
    page.to_sign_up()
    page.wait_step("sign-up")


def to_reset(page):
    to_form(page)
    page.press("form.forgot.button")
    page.wait_step("reset")


def to_session(page):
    page.sign_in("ada")
    page.wait_step("session")


def to_account(page):
    to_session(page)
    page.press("account")
    page.wait_for("#product h2")


def to_device(page):
    page.open("/")
    page.choose_line("openid")
    page.to_methods()
    page.press("method.device")
    page.wait_for("#qr")


def to_issuer(page):
    page.to_methods()
    page.press("method.browser")
    page.wait_for("input[name=username]")


def to_link(page):
    page.open("/")
    page.choose_line("supabase")
    page.to_methods()
    page.press("method.email-link")
    page.fill("email_address", "axe@example.com")
    page.press("submit")
    page.wait_for("#mailbox .message .link")


def to_refusal(page):
    page.open("/no-such-page")


PAGES = (
    ("the methods", lambda page: page.to_methods()), ("a form", to_form), ("a failure", to_failure),
    ("a code", to_code),
    ("a sign-up", to_sign_up), ("a reset", to_reset), ("a session", to_session), ("the account", to_account),
    ("a device", to_device), ("the issuer's page", to_issuer), ("a link", to_link), ("a refusal", to_refusal))
