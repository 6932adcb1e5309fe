"""How users use browsers: other languages, no script, only keys, two tabs, impatience, the way back."""
import re

from driver import DriverError

TAB, ENTER = "\ue004", "\ue007"


def german(world, page, facts):
    page.press("language:de", ".masthead")
    page.wait(lambda: page.attribute("html", "lang") == "de", "the page in German")
    page.sign_in("ada", "falsch")
    page.wait(page.message, "a message")
    facts.check("the failure is said in German", "Passwort" in page.message(), page.message())
    facts.check("the title, too", page.driver.script("return document.title").startswith("Fehler: "))
    page.press("language:en", ".masthead")
    page.wait(lambda: page.attribute("html", "lang") == "en", "the page in English")


def without_script(world, page, facts):
    page.driver.cdp("Emulation.setScriptExecutionDisabled", value=True)
    try:
        page.open("/")
        page.to_methods()
        page.press("method.password")
        page.fill("user_name", "mary")
        page.fill("password", "proof of stake")
        page.press("submit")
        page.wait_step("code")
        page.fill("code", page.new_code("mary"))
        page.press("submit")
        page.wait(lambda: page.has("#session-card dl"), "the session")
        facts.check("a second factor works without script", "Mary" in page.text("#session-card"))
        page.press("switch:restart", "#switches")
        page.wait(lambda: page.has("#session-card dl"), "the session")
        facts.check("a switch works without script", True)
    finally:
        page.driver.cdp("Emulation.setScriptExecutionDisabled", value=False)
        page.open("/")
    page.to_methods()


def keys_only(world, page, facts):
    page.to_methods()
    order = walk(page)
    facts.check(
        "Tab reaches every control once, without a trap", len(order) == len(set(order)) and len(order) > 10, order)
    shown = page.driver.script(CONTROLS)
    facts.equal("in the order in which they stand", order, shown)
    page.press("method.password")
    page.wait_step("form")
    facts.equal("the first field has the focus", page.first_focus, "field-user_name")
    while page.focus != "field-user_name":
        page.driver.press_key(TAB)
    page.driver.type(page.driver.focused(), "ada")
    while page.focus != "field-password":
        page.driver.press_key(TAB)
    page.driver.type(page.driver.focused(), "correct horse")
    page.driver.press_key(ENTER)
    page.wait_step("session")
    facts.check("Return submits the form", True)
    page.to_methods()


NAME = "(e => e.id || e.value || e.getAttribute('href') || e.tagName)"
CONTROLS = (
    "return [...document.querySelectorAll('a[href], button, input:not([type=hidden]), summary')]"
    f".filter(e => e.checkVisibility() && !e.disabled).map({NAME})")


def walk(page):
    """The names of all that Tab reaches from the first on, until it leaves the page or begins anew."""
    order = [page.driver.script(f"const e = document.querySelector('a[href]'); e.focus(); return {NAME}(e)")]
    for _ in range(80):
        page.driver.press_key(TAB)
        name = page.driver.script(
            f"const e = document.activeElement; return e === document.body ? '' : {NAME}(e)")
        if not name or name == order[0]:
            break
        order.append(name)
    return order


def two_tabs(world, page, facts):
    page.to_methods()
    first = page.driver.do("GET", "/window")
    page.driver.new_tab()
    page.open("/")
    page.sign_in("ada")
    page.wait_step("session")
    page.driver.switch(first)
    page.wait_step("session")
    facts.check("a sign-in in one tab shows in the other, by itself", "Ada" in page.text("#session-card"))
    page.press("session.sign_out.button")
    page.wait_step("methods")
    second = next(handle for handle in page.driver.windows() if handle != first)
    page.driver.switch(second)
    page.wait_step("methods")
    facts.check("and so does the sign-out", True)
    page.driver.close_tab()
    page.driver.switch(first)


def double_click(world, page, facts):
    # An entry that comes several times in a row is one line, with a number.
    page.sign_in("ada")
    page.wait_step("session")
    page.to_methods()
    page.press("method.password")
    page.wait_step("form")
    page.fill("user_name", "ada")
    page.fill("password", "correct horse")
    before = requests(page, "POST /auth ")
    button = page.visible('#product button[value="submit"]')
    page.driver.script("const b = document.querySelector('#product button[value=submit]'); b.click(); b.click()")
    page.wait_step("session")
    facts.equal("a double click signs in once", requests(page, "POST /auth ") - before, 1)
    facts.check("the button could be pressed", button is not None)


def requests(page, start):
    """How many of them the server has received, as far back as they are listed."""
    lines = page.driver.script(
        "return [...document.querySelectorAll('#requests li')].map(e => e.innerText.replace(/\\s+/g, ' '))")
    counts = [re.search("× (\\d+)", line) for line in lines if line.startswith(start)]
    return sum(int(count[1]) if count else 1 for count in counts)


def way_back(world, page, facts):
    if page.step != "session":
        page.sign_in("ada")
        page.wait_step("session")
    before = requests(page, "POST /auth ")
    page.driver.do("POST", "/back")
    page.wait(lambda: page.step, "a page")
    try:
        page.driver.do("POST", "/refresh")
    except DriverError as error:
        facts.check("going back asks nothing", False, error)
    page.wait_step("session")
    facts.equal("the way back and a reload send nothing again", requests(page, "POST /auth "), before)
    page.to_methods()


PARTS = (
    ("another language", german), ("script is off", without_script), ("only keys", keys_only), ("two tabs", two_tabs),
    ("a double click", double_click), ("the way back", way_back))
