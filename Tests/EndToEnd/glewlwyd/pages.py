"""What a user does on glewlwyd's pages, which one script draws and redraws."""


def log_in(browser, url, user, password):
    """Opens a page that asks who one is, and says so."""
    browser.open(url)
    browser.fill("#username", user)
    browser.fill("#password", password)
    browser.press("#loginbut")


def sign_in(browser, url, user, destination):
    log_in(browser, url, user, f"{user}-pw")
    browser.press("button.btn-success", "Continue")
    browser.arrive(destination)


def sign_in_granting(browser, url, user, scopes, destination):
    """Grants these of the scopes that the client asks for, and goes on."""
    log_in(browser, url, user, f"{user}-pw")
    for scope in scopes:
        browser.press(f"#grant-{scope}")
    browser.press("button.btn-primary", "Grant access")
    browser.press("button.btn-success", "Continue")
    browser.arrive(destination)


def fail_to_log_in(browser, url, user):
    log_in(browser, url, user, "a wrong password")
    browser.wait(lambda: browser.has_text("Authentication error"), "the page says that the password is wrong")


def correct_password(browser, user, destination):
    """Goes on after a wrong password."""
    browser.fill("#password", f"{user}-pw")
    browser.press("#loginbut")
    browser.press("button.btn-success", "Continue")
    browser.arrive(destination)


def approve_device(browser, event, user):
    log_in(browser, event["verification_uri_complete"], user, f"{user}-pw")
    browser.press("button.btn-success", "Continue")
    browser.wait(lambda: browser.has_text("Authorization complete"), "the page says that the device is authorized")
