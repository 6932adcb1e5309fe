"""Codes and links that arrive in the mailbox."""

RESEND = '#product button[value="code.resend.button"]'


def second_factor(world, page, facts):
    page.sign_in("mary")
    page.wait_step("code")
    code = page.new_code("mary")
    wrong = "000000" if code != "000000" else "000001"
    page.fill("code", wrong)
    page.press("submit")
    page.wait(lambda: page.message() or page.text("#problem-code"), "what is wrong with the code")
    facts.equal("a wrong code leaves the user on the step", page.step, "code")
    page.fill("code", f" {code[:3]}-{code[3:]} ")
    page.press("submit")
    page.wait_step("session")
    facts.check("the right one signs in, typed with a dash", "Mary" in page.text("#product [data-part=user]"))


def resending(world, page, facts):
    page.sign_in("mary")
    page.wait_step("code")
    first = page.new_code("mary")
    facts.check("another code is not offered at once", page.visible(RESEND) is None)
    page.play("jump")
    page.wait(lambda: page.visible(RESEND), "the button for another code")
    page.press("code.resend.button")
    second = page.new_code("mary", than=first)
    page.wait_for("#field-code")
    page.fill("code", second)
    page.press("submit")
    page.wait_step("session")
    facts.check("the new code signs in, after the old one has expired", True)


def sign_up(world, page, facts):
    page.to_methods()
    page.to_sign_up()
    page.wait_step("sign-up")
    facts.equal(
        "a password manager is told that the password is new", page.attribute("#field-new_password", "autocomplete"),
        "new-password")
    page.fill("user_name", "annie")
    page.fill("new_password", "jump cannon")
    page.press("submit")
    page.wait_for("#field-code")
    page.fill("code", page.new_code("annie"))
    page.press("submit")
    page.wait_step("session")
    facts.check("who has signed up is signed in", "annie" in page.text("#product [data-part=user]"))
    page.to_methods()
    page.to_sign_up()
    page.fill("user_name", "ada")
    page.fill("new_password", "another one")
    page.press("submit")
    page.wait(page.message, "a message")
    facts.check("a name that is taken makes no account", page.step == "sign-up", page.message())


def email_code(world, page, facts):
    page.choose_line("supabase")
    page.to_methods()
    page.press("method.email-code")
    page.fill("email_address", "ada@example.com")
    page.press("submit")
    page.wait_step("code")
    page.fill("code", page.new_code("ada@example.com"))
    page.press("submit")
    page.wait_step("session")
    facts.check("a code from a mail signs in", "ada@example.com" in page.text("#product"))


def phone_code(world, page, facts):
    page.choose_line("supabase")
    page.to_methods()
    page.press("method.phone-code")
    page.fill("phone_number", "+49 170 1234567")
    page.press("submit")
    page.wait_step("code")
    page.fill("code", page.new_code("+491701234567"))
    page.press("submit")
    page.wait_step("session")
    facts.check("a code on the phone signs in", page.has("#session-card dl"))


def email_link(world, page, facts):
    page.choose_line("supabase")
    page.to_methods()
    before = len(page.driver.find("#mailbox .message"))
    page.press("method.email-link")
    page.fill("email_address", "grace@example.com")
    page.press("submit")
    page.wait(lambda: "grace@example.com" in page.text("#mailbox .message"), "the mail")
    facts.check("a link is waited for", page.step == "link" and before >= 0)
    page.leave("#mailbox .message .link")
    page.wait_step("session")
    facts.check("the link signs in", "grace@example.com" in page.text("#product"))
    page.to_methods()
    page.choose_line("api")


PARTS = (
    ("a second factor", second_factor), ("a code that expires, and another one", resending),
    ("a new account, confirmed by a code", sign_up), ("a code by e-mail", email_code),
    ("a code on the phone", phone_code), ("a link by e-mail", email_link))
