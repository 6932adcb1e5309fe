"""Each switch backstage, with a user signed in."""


def signed_in(page):
    page.sign_in("ada")
    page.wait_step("session")


def trail(page):
    """All steps since the last intent, also those that are folded."""
    return page.driver.script("return document.querySelector('#backstage .trail')?.textContent ?? ''")


def seen(page, switch, *parts):
    page.play(switch)
    page.wait(lambda: all(part in trail(page) for part in parts), f"{parts} in the trail of {switch}", 120)


def expire(world, page, facts):
    signed_in(page)
    before = page.text("#session-card code")
    seen(page, "expire", "a refresh ended", "a call was answered")
    facts.check("the call got another token", page.text("#session-card code") != before)


def thousand_calls(world, page, facts):
    seen(page, "calls", "1000 calls were answered")
    refreshes = page.driver.script(
        "return [...document.querySelectorAll('#requests li')].map(e => e.innerText)"
        ".filter(text => text.includes('/auth/refresh'))")
    facts.check("a thousand calls are answered", "200" in trail(page))
    facts.check("with one refresh", trail(page).count("a refresh ended expiry") == 1 and len(refreshes) >= 1, trail(page))


def down(world, page, facts):
    page.play("down")
    page.wait(lambda: page.attribute('button[value="switch:down"]', "aria-pressed") == "true", "the switch is on")
    page.play("jump")
    outcome = page.call()
    facts.check("a call says that the provider cannot be reached", "200" not in outcome, outcome)
    facts.equal("no user is signed out", page.step, "session")
    page.play("down")
    page.wait(lambda: page.attribute('button[value="switch:down"]', "aria-pressed") == "false", "the switch is off")
    page.press("call")
    page.wait_text("#call", "200", 60)
    facts.check("it goes on when the provider is back", True)


def lose(world, page, facts):
    seen(page, "lose", "retrying a refresh", "a call was answered")
    facts.equal("a lost answer ends nothing", page.step, "session")


def lock(world, page, facts):
    page.play("lock")
    page.wait(lambda: page.attribute('button[value="switch:lock"]', "aria-pressed") == "true", "the switch is on")
    page.play("restart")
    page.wait_step("locked")
    facts.check("an app with a locked store does not say that no user is signed in", page.heading != "")
    page.play("lock")
    page.press("submit")
    page.wait_step("session")
    page.wait_text("#session-card", "Ada")
    facts.check("it goes on once the store is unlocked", True)


def process(world, page, facts):
    before = page.text("#session-card code")
    seen(page, "process", "a second process used the session", "a call was answered")
    facts.check("this app took over what the second process wrote", page.text("#session-card code") != before)
    facts.check("with one refresh", page.text("#session-card dl") != "" and page.step == "session")


def restart(world, page, facts):
    page.play("restart")
    page.wait_step("session")
    page.wait_text("#session-card", "Ada")
    facts.check("who was signed in is signed in after a restart", True)


def revoke(world, page, facts):
    page.play("revoke")
    page.wait_step("methods")
    facts.check("the user is told why", page.text("[data-part=notice]") != "", page.text("#product"))


PARTS = (
    ("the token expires", expire), ("a thousand calls", thousand_calls), ("the provider is down", down),
    ("an answer is lost", lose), ("the store is locked", lock), ("another process", process), ("a restart", restart),
    ("revoked elsewhere", revoke))
