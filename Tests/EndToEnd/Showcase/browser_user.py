"""What a user does with the showcase."""
from page import Page
from waiting import Overdue, until

PASSWORDS = {"ada": "correct horse", "grace": "battery staple", "mary": "proof of stake"}
# The ways back from a step, the first that is there.
BACK = ("code.start_again.button", "code.other.button", "sign_up.back.button", "form.cancel.button")


class BrowserUser(Page):
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

    @property
    def heading(self):
        return self.text("#product h1")

    def wait_step(self, step, seconds=150):
        return self.wait(lambda: self.step == step, f"the step {step}", seconds)

    def press(self, intent, within="#product", seconds=150):
        """A button that sends the intent; returns on the page that follows."""
        self.leave(f'{within} button[name="intent"][value="{intent}"]', seconds)

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
                self.press("session.loss.confirm" if self.has('button[value="session.loss.confirm"]') else "session.sign_out.button")
            elif step == "locked":
                self.press("submit")
            elif step in ("account", "reset"):
                self.open("/")
            elif back := next((key for key in BACK if self.has(f'#product button[value="{key}"]')), None):
                self.press(back)
            else:
                self.open("/")
            try:
                until(lambda: self.step not in (step, ""), "another step", 5)
            except Overdue:
                pass
        raise Overdue(f"the list of methods was not reached from {self.step}")

    def to_sign_up(self):
        """From the list of the ways to sign in, to the form for a new account."""
        self.press("method.password")
        self.press("form.sign_up.button")
        self.wait_step("sign-up")

    def sign_in(self, name="ada", password=None):
        """At the own API, up to what follows the password."""
        self.to_methods()
        self.press("method.password")
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
