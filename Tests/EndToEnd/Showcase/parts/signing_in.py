"""A password, wrong and right, what is seen backstage of it, and the end."""


def wrong_password(world, page, facts):
    page.sign_in("ada", "a wrong one")
    page.wait(page.message, "a message")
    facts.check("a wrong password is said in words", "password" in page.message().lower(), page.message())
    facts.check("the title of the tab says so", page.driver.script("return document.title").startswith("Error: "))
    facts.equal("the focus is on the message", page.first_focus, "message")
    facts.equal("the name is kept", page.value("user_name"), "ada")
    facts.equal("the password is not", page.value("password"), "")
    facts.check("it is nowhere in the page", "a wrong one" not in page.driver.do("GET", "/source"))


def empty_form(world, page, facts):
    page.to_methods()
    page.press("method.password")
    page.wait_step("form")
    facts.check("nothing is wrong while nothing was typed", not page.has("#product [aria-invalid]"))
    page.press("submit")
    page.wait_for("#field-user_name[aria-invalid=true]")
    problem = page.attribute("#field-user_name", "aria-describedby")
    facts.check("the button says what is missing", page.text(f"#{problem}") != "")
    focus = page.first_focus
    facts.check("the focus is on what is wrong", focus in ("field-user_name", "message"), focus)


def right_password(world, page, facts):
    page.sign_in("ada")
    page.wait_step("session")
    facts.check("ada is welcomed", "Ada Lovelace" in page.heading, page.heading)
    card = page.wait(lambda: page.text("#session-card dl"), "the session's card")
    facts.check("the card shows who it is", "Ada Lovelace" in card, card)
    facts.check("and of the tokens only that they differ", card.count("••••") == 2, card)
    requests = page.text("#requests")
    facts.check("the server's requests are listed", "/auth" in requests and "200" in requests, requests)
    lit = page.driver.script("return [...document.querySelectorAll('#trail .lit')].map(e => e.dataset.station)")
    facts.equal("the way of the data is lit to its end", lit, ["intent", "decorators", "provider", "store", "state"])
    facts.equal("the heading has the focus", page.first_focus, "product-heading")


def call_and_sign_out(world, page, facts):
    outcome = page.call()
    facts.check("a call of the API is answered", "200" in outcome, outcome)
    page.press("session.sign_out.button")
    page.wait_step("methods")
    facts.check("the card is empty", not page.has("#session-card dl"))
    page.open("/account")
    facts.check("there is no account to see", page.step == "methods", page.step)


PARTS = (
    ("a wrong password", wrong_password), ("an empty form", empty_form), ("the right password", right_password),
    ("a call, and the end of the session", call_and_sign_out))
