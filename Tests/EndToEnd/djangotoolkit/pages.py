"""What a user does on the pages of Django and django-oauth-toolkit."""


def log_in(browser, url, person, password):
    browser.open(url)
    browser.fill("#id_username", person)
    browser.fill("#id_password", password)
    browser.press("input[type=submit]")


def sign_in(browser, url, person, destination):
    log_in(browser, url, person, f"{person}-pw")
    browser.arrive(destination)


def sign_in_consenting(browser, url, person, destination):
    log_in(browser, url, person, f"{person}-pw")
    browser.press("input[name=allow]")
    browser.arrive(destination)


def decline(browser, url, person, destination):
    log_in(browser, url, person, f"{person}-pw")
    browser.press("input[type=submit]:not([name=allow])")
    browser.arrive(destination)


def fail_to_log_in(browser, url, person):
    log_in(browser, url, person, "a wrong password")
    browser.wait(lambda: browser.shown(".errornote"), "the page says that the password is wrong")


def correct_password(browser, person, destination):
    """Goes on after a wrong password."""
    browser.fill("#id_username", person)
    browser.fill("#id_password", f"{person}-pw")
    browser.press("input[type=submit]")
    browser.arrive(destination)


def approve_device(browser, event, person, action="accept"):
    log_in(browser, event["verification_uri_complete"], person, f"{person}-pw")
    browser.press("button[type=submit]", "Verify")
    browser.press(f"button[value={action}]")
    browser.wait(lambda: browser.has_text("Device"), "the page says what became of the device")


def deny_device(browser, event, person):
    approve_device(browser, event, person, "deny")
