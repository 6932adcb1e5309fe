"""The pages of the showcase, used as a person uses them."""
from driver import DriverError
from waiting import Overdue, until

PASSWORDS = {"ada": "correct horse", "grace": "battery staple", "mary": "proof of stake"}


class Page:
    """One tab. Each wait ends with a picture where it fails."""

    def __init__(self, driver, showcase, folder):
        self.driver = driver
        self.showcase = showcase
        self.folder = folder

    def open(self, path="/"):
        self.driver.open(self.showcase.address.rstrip("/") + path)

    def begin(self):
        """One tab, at the own API; who is signed in stays it."""
        first, *others = self.driver.windows()
        for handle in others:
            self.driver.switch(handle)
            self.driver.close_tab()
        self.driver.switch(first)
        self.open("/")
        if self.attribute('button[value="line:api"]', "aria-pressed") != "true":
            self.choose_line("api")

    def wait(self, condition, what, seconds=30):
        def met():
            try:
                return condition()
            except DriverError:
                return None

        try:
            return until(met, what, seconds)
        except Overdue as overdue:
            self.picture("overdue")
            raise Overdue(f"{overdue}; at {self.driver.url}: {self.text('body')[:300]!r}") from None

    def picture(self, name):
        (self.folder / f"{name}.png").write_bytes(self.driver.picture())

    def text(self, selector):
        """What is read there; empty where there is no such element."""
        return self.driver.script("return document.querySelector(arguments[0])?.innerText ?? ''", selector).strip()

    def attribute(self, selector, name):
        return self.driver.script("return document.querySelector(arguments[0])?.getAttribute(arguments[1])", selector, name)

    def has(self, selector):
        return bool(self.driver.find(selector))

    @property
    def step(self):
        return self.driver.script("return document.querySelector('#product')?.dataset.step ?? ''")

    @property
    def heading(self):
        return self.text("#product h1")

    def wait_step(self, step, seconds=30):
        return self.wait(lambda: self.step == step, f"the step {step}", seconds)

    def wait_text(self, selector, part, seconds=30):
        return self.wait(lambda: part in self.text(selector), f"{part!r} in {selector}", seconds)

    def wait_for(self, selector, seconds=30):
        return self.wait(lambda: self.has(selector), selector, seconds)

    def visible(self, selector):
        return next((found for found in self.driver.find(selector) if self.driver.is_shown(found)), None)

    def click(self, selector, seconds=30):
        """What an event has replaced meanwhile is looked for again."""
        def clicked():
            element = self.visible(selector)
            if element:
                self.driver.click(element)
            return element

        self.wait(clicked, f"{selector} to press", seconds)

    def press(self, intent, within="#product", seconds=30):
        """A button that sends the intent; returns on the page that follows."""
        self.leave(f'{within} button[name="intent"][value="{intent}"]', seconds)

    def leave(self, selector, seconds=30):
        """Presses once what leads to another page, and waits for that."""
        self.driver.script("window.isHere = true")

        def pressed():
            if not self.driver.script("return window.isHere === true"):
                return True
            element = self.visible(selector)
            if element:
                self.driver.click(element)
            return element

        self.wait(pressed, f"{selector} to press", seconds)
        self.wait(
            lambda: self.driver.script("return !window.isHere && document.readyState === 'complete'"),
            f"a page after {selector}", seconds)

    def fill(self, name, text):
        def filled():
            field = self.visible(f"#field-{name}")
            if field is None:
                return False
            self.driver.do("POST", f"/element/{field}/clear")
            self.driver.type(field, text)
            return True

        self.wait(filled, f"the field {name}")

    def message(self):
        return self.text("#message")

    def new_code(self, to, than=None):
        """The code of the newest message, once that is one to this address, and another code than `than`."""
        def code():
            if to not in self.text("#mailbox .message"):
                return None
            code = self.text("#mailbox .message .code")
            return code if code != than else None

        return self.wait(code, f"a code to {to} in the mailbox")

    def choose_line(self, line):
        self.press(f"line:{line}", ".masthead")
        self.wait(lambda: self.attribute(f'button[value="line:{line}"]', "aria-pressed") == "true", f"the line {line}")

    def to_methods(self):
        """From wherever the product is, to the list of the ways to sign in."""
        if self.driver.url != self.showcase.address:
            self.open("/")
        for _ in range(6):
            step = self.wait(lambda: self.step, "a step")
            if step == "methods":
                return
            if step == "session":
                self.press("confirm-loss" if self.has('button[value="confirm-loss"]') else "sign-out")
            elif step == "locked":
                self.press("retry")
            elif step in ("account", "reset"):
                self.open("/")
            elif self.has('#product button[value="start-again"]'):
                self.press("start-again")
            elif self.has('#product button[value="back"]'):
                self.press("back")
            else:
                self.open("/")
            try:
                until(lambda: self.step not in (step, ""), "another step", 5)
            except Overdue:
                pass
        raise Overdue(f"the list of methods was not reached from {self.step}")

    def sign_in(self, name="ada", password=None):
        """At the own API, up to what follows the password."""
        self.to_methods()
        self.press("choose:password")
        self.wait_step("form")
        self.fill("user_name", name)
        self.fill("password", password or PASSWORDS.get(name, ""))
        self.press("submit")

    def play(self, switch):
        """A switch, which leaves the page as it is."""
        self.click(f'#switches button[value="switch:{switch}"]')

    def call(self):
        """One call of the product's; what it says came of it."""
        self.press("call")
        return self.wait(lambda: self.text("#call"), "the outcome of a call")
