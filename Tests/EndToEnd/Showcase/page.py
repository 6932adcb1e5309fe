"""A tab, read and pressed."""
from driver import DriverError
from waiting import Overdue, until


class Page:
    """One tab. Each wait ends with a picture where it fails."""

    def __init__(self, driver, showcase, folder):
        self.driver = driver
        self.showcase = showcase
        self.folder = folder

    def open(self, path="/"):
        self.driver.open(self.showcase.address.rstrip("/") + path)

    def wait(self, condition, what, seconds=150):
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
        return self.driver.script(
            "return document.querySelector(arguments[0])?.getAttribute(arguments[1])", selector, name)

    def has(self, selector):
        return bool(self.driver.find(selector))

    def value(self, name):
        """What a field holds."""
        return self.driver.script("return document.getElementById(arguments[0]).value", f"field-{name}")

    @property
    def focus(self):
        """The id of what has the focus; empty for the whole page."""
        return self.driver.script("return document.activeElement.id")

    @property
    def first_focus(self):
        """The id of what the page gives the focus to, which a browser does after it has drawn it."""
        self.wait(lambda: self.focus, "a focus")
        return self.focus

    @property
    def step(self):
        return self.driver.script("return document.querySelector('#product')?.dataset.step ?? ''")

    def wait_text(self, selector, part, seconds=150):
        return self.wait(lambda: part in self.text(selector), f"{part!r} in {selector}", seconds)

    def wait_for(self, selector, seconds=150):
        return self.wait(lambda: self.has(selector), selector, seconds)

    def visible(self, selector):
        return next((found for found in self.driver.find(selector) if self.driver.is_shown(found)), None)

    def click(self, selector, seconds=150):
        """What an event has replaced meanwhile is looked for again."""
        def clicked():
            element = self.visible(selector)
            if element:
                self.driver.click(element)
            return element

        self.wait(clicked, f"{selector} to press", seconds)

    def leave(self, selector, seconds=150):
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
