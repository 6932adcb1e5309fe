"""Sign-ins that take another page, another device, or the browser's own passkeys."""
import subprocess


def type_at_issuer(page, decision="approve", code=None):
    page.wait_for("input[name=username]")
    for name, text in (("username", "ada"), ("password", "correct horse"), ("user_code", code)):
        if text is not None:
            field = page.driver.find(f"input[name={name}]")[0]
            page.driver.do("POST", f"/element/{field}/clear")
            page.driver.type(field, text)
    page.click(f'button[name=decision][value="{decision}"]')


def browser(world, page, facts):
    page.choose_line("openid")
    page.to_methods()
    page.press("method.browser")
    page.wait(lambda: page.driver.url.startswith("http://127.0.0.1:"), "the issuer's page")
    facts.check("the issuer has another look than the product", "Loopback issuer" in page.text("body"))
    type_at_issuer(page)
    page.wait_step("session")
    facts.equal("the browser comes back to the product", page.driver.url, world.showcase.address)
    facts.check("no code is left in the address", "code=" not in page.driver.url)
    facts.check("ada is signed in", "Ada Lovelace" in page.text("#session-card"))
    page.open("/callback?code=forged&state=forged")
    facts.check("a forged redirect changes nothing", "Ada Lovelace" in (page.open("/") or page.text("#session-card")))


def declined(world, page, facts):
    page.choose_line("openid")
    page.to_methods()
    page.press("method.browser")
    page.wait(lambda: page.driver.url.startswith("http://127.0.0.1:"), "the issuer's page")
    type_at_issuer(page, "decline")
    page.wait(lambda: page.driver.url == world.showcase.address and page.step, "the product")
    facts.check("who declines is signed out", page.step in ("browser", "methods"), page.step)


def device(world, page, facts):
    page.choose_line("openid")
    page.to_methods()
    page.press("method.device")
    code = page.wait(lambda: page.text("[data-part=code] bdi"), "the code of the device")
    qr = page.driver.find("#qr")[0]
    picture = page.folder / "qr.png"
    picture.write_bytes(page.driver.picture(qr))
    read = subprocess.run(["zbarimg", "--quiet", "--raw", str(picture)], capture_output=True, text=True).stdout.strip()
    facts.check("a scanner reads where to go", "/device" in read and code in read, read)
    first = page.driver.do("GET", "/window")
    page.driver.new_tab()
    page.driver.open(read)
    type_at_issuer(page)
    page.wait_text("body", "You are signed in on the other device")
    page.driver.close_tab()
    page.driver.switch(first)
    page.wait_step("session", 60)
    facts.check("the first page goes on by itself", "Ada Lovelace" in page.text("#session-card"))
    page.to_methods()
    page.choose_line("api")


def passkey(world, page, facts):
    authenticator = page.driver.add_authenticator()
    try:
        page.sign_in("grace")
        page.wait_step("session")
        page.press("account")
        page.press("enrol.passkey")
        page.wait_for('#product button[value^="factor."]', 60)
        facts.check("the browser's authenticator makes a passkey, which the account lists", True)
        page.open("/")
        page.to_methods()
        page.press("method.passkey")
        page.wait_step("session", 60)
        facts.check("it signs in, without name and password", "Grace" in page.text("#session-card"))
        requests = page.text("#requests")
        facts.check("the server saw the assertion", "/auth/challenge" in requests, requests)
    finally:
        page.driver.remove_authenticator(authenticator)
        page.open("/")
        page.to_methods()


PARTS = (
    ("the issuer's own page", browser), ("declined on the issuer's page", declined), ("another device", device),
    ("a passkey of the browser", passkey))
