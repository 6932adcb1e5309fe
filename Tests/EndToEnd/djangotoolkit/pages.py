"""What a user does on the pages of Django and django-oauth-toolkit."""


def log_in(browser, url, user, password):
    browser.open(url)
    browser.fill("#id_username", user)
    browser.fill("#id_password", password)
    browser.press("input[type=submit]")


def sign_in(browser, url, user, destination):
    log_in(browser, url, user, f"{user}-pw")
    browser.arrive(destination)


def sign_in_consenting(browser, url, user, destination):
    log_in(browser, url, user, f"{user}-pw")
    browser.press("input[name=allow]")
    browser.arrive(destination)


def decline(browser, url, user, destination):
    log_in(browser, url, user, f"{user}-pw")
    browser.press("input[type=submit]:not([name=allow])")
    browser.arrive(destination)


def fail_to_log_in(browser, url, user):
    log_in(browser, url, user, "a wrong password")
    browser.wait(lambda: browser.shown(".errornote"), "the page says that the password is wrong")


def correct_password(browser, user, destination):
    """Goes on after a wrong password."""
    browser.fill("#id_username", user)
    browser.fill("#id_password", f"{user}-pw")
    browser.press("input[type=submit]")
    browser.arrive(destination)


def approve_device(browser, event, user, action="accept"):
    log_in(browser, event["verification_uri_complete"], user, f"{user}-pw")
    browser.press("button[type=submit]", "Verify")
    browser.press(f"button[value={action}]")
    browser.wait(lambda: browser.has_text("Device"), "the page says what became of the device")


def deny_device(browser, event, user):
    approve_device(browser, event, user, "deny")
