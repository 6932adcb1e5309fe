"""Headless Chromium that reaches loopback only. The pages themselves are each server's own business."""
import shutil

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

from kit.waiting import Overdue, until

SWITCHES = (
    "--headless=new",
    "--no-sandbox",  # Chromium refuses to run as root with its sandbox
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--password-store=basic",
    "--window-size=1000,900",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
)


class Browser:
    def __init__(self, folder, processes):
        self.folder = folder
        options = Options()
        options.binary_location = shutil.which("chromium")
        for switch in (*SWITCHES, f"--user-data-dir={folder / 'chromium'}"):
            options.add_argument(switch)
        service = Service(shutil.which("chromedriver"), popen_kw={"start_new_session": True})
        self.driver = webdriver.Chrome(options=options, service=service)
        processes.adopt("chromedriver", service.process)
        self.driver.set_page_load_timeout(150)

    def quit(self):
        self.driver.quit()

    def forget(self):
        """As a user who never was here."""
        self.driver.execute_cdp_cmd("Network.clearBrowserCookies", {})

    def open(self, url):
        self.driver.get(url)

    @property
    def url(self):
        return self.driver.current_url

    @property
    def text(self):
        return self.driver.find_element(By.TAG_NAME, "body").text

    def shown(self, selector, text=None):
        """The first visible and enabled element, or None; pages that redraw themselves are asked again."""
        try:
            for element in self.driver.find_elements(By.CSS_SELECTOR, selector):
                if element.is_displayed() and element.is_enabled() and (text is None or element.text == text):
                    return element
        except WebDriverException:
            pass
        return None

    def has_text(self, text):
        try:
            return text in self.text
        except WebDriverException:
            return False

    def wait(self, condition, what, seconds=150):
        try:
            return until(condition, what, seconds)
        except Overdue as overdue:
            self.driver.save_screenshot(str(self.folder / "page.png"))
            raise Overdue(f"{overdue}; the browser is at {self.url[:120]}: {self.text[:200]!r}") from None

    def fill(self, selector, text):
        def filled():
            field = self.shown(selector)
            if field is None:
                return False
            try:
                field.clear()
                field.send_keys(text)
            except WebDriverException:
                return False
            return True

        self.wait(filled, f"a field {selector}")

    def press(self, selector, text=None):
        def pressed():
            button = self.shown(selector, text)
            if button is None:
                return False
            try:
                button.click()
            except WebDriverException:
                return False
            return True

        self.wait(pressed, f"a button {selector} {text or ''}")

    def arrive(self, prefix):
        """Waits until the address begins like this."""
        self.wait(lambda: self.url.startswith(prefix), f"the browser arrives at {prefix}")
