"""What a browser does at a sign-in: follows redirects, fills in the page that asks for a password, returns to the app."""
import html.parser
import http.cookiejar
import urllib.error
import urllib.parse
import urllib.request


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Form(html.parser.HTMLParser):
    """The fields and buttons of a page's first form that takes a password."""

    def __init__(self, page):
        super().__init__()
        self.fields, self.is_found, self.is_open = {}, False, False
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        if tag == "form" and not self.is_found:
            self.fields, self.is_open = {}, True
        elif tag == "input" and self.is_open and named.get("name"):
            self.fields[named["name"]] = named.get("value", "")

    def handle_endtag(self, tag):
        if tag == "form" and self.is_open:
            self.is_open, self.is_found = False, "password" in self.fields


class Browser:
    """One window: its cookies, and what it saw at each page."""

    def __init__(self):
        cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self.opener = urllib.request.build_opener(NoRedirect, cookies, urllib.request.ProxyHandler({}))

    def fetch(self, url, form=None):
        """Status, headers and text; a redirect is not followed."""
        body = None if form is None else urllib.parse.urlencode(form).encode()
        try:
            with self.opener.open(urllib.request.Request(url, body), timeout=60) as response:
                return response.status, response.headers, response.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read().decode()

    def sign_in(self, url, name="admin", password="admin"):
        """Opens the page, signs in where it asks, and follows it back to the app. Returns the last status and text."""
        form = None
        for _ in range(10):
            status, headers, text = self.fetch(url, form)
            form = None
            if status in (301, 302, 303, 307, 308):
                url = urllib.parse.urljoin(url, headers["Location"])
            elif status == 200 and Form(text).is_found:
                form = Form(text).fields | {"username": name, "password": password}
            else:
                return status, text
        return 0, "too many redirects"

    def approve(self, url, code, name="admin", password="admin"):
        """Approves a device's code. Returns the page's status."""
        fields = Form(self.fetch(url)[2]).fields
        return self.fetch(url, fields | {
            "user_code": code, "username": name, "password": password, "action": "authorize"})[0]
