"""Hostile text in each field, and from the server: inert, or refused in words."""
HOSTILE = (
    ("a script", "<script>window.stolen = 1</script>"), ("a handler", "\"><img src=x onerror='window.stolen = 1'>"),
    ("marks from right to left", "ada\u202enimda"), ("characters without a width", "a\u200bd\u200da"),
    ("control characters", "ada\u0000\u0007\u001b[31m"),
    ("emoji", "👩‍👩‍👧‍👦🏳️‍🌈"), ("a template", "{{7*7}}${7*7}"),
    ("another form's fields", "ada&intent=switch%3Adown"))


def put(page, field, text):
    """As pasted: not every character has a key."""
    page.wait_for(f"#field-{field}")
    page.driver.script("document.getElementById(arguments[0]).value = arguments[1]", f"field-{field}", text)


def unharmed(page):
    return page.driver.script(
        "return !window.stolen && !document.querySelector('#product script, #product img, #backstage img')")


def in_fields(world, page, facts):
    for name, text in HOSTILE:
        page.to_methods()
        page.press("method.password")
        page.wait_step("form")
        put(page, "user_name", text)
        put(page, "password", text)
        page.press("submit")
        page.wait(lambda: page.message() or page.has("#product [aria-invalid]"), "an answer in words")
        facts.check(f"{name} as a user name is inert", unharmed(page) and page.step == "form", page.text("#product"))


def in_codes(world, page, facts):
    for name, text in HOSTILE[:3]:
        page.sign_in("mary")
        page.wait_step("code")
        put(page, "code", text)
        page.press("submit")
        page.wait(lambda: page.message() or page.has("#product [aria-invalid]"), "an answer in words")
        facts.check(f"{name} as a code is inert", unharmed(page) and page.step == "code")
    page.to_methods()


def in_names(world, page, facts):
    """What one user typed is shown as the server's answer to another page."""
    page.to_sign_up()
    put(page, "user_name", HOSTILE[1][1])
    put(page, "new_password", "a good one 123")
    page.press("submit")
    page.wait(lambda: page.has("#field-code") or page.message() or page.has("#product [aria-invalid]"), "an answer")
    if page.has("#field-code"):
        page.fill("code", page.new_code("onerror"))
        page.press("submit")
        page.wait_step("session")
        facts.check("a name that is markup is shown as text", "onerror" in page.text("#product [data-part=user]"))
    facts.check("and is inert everywhere", unharmed(page))
    page.to_methods()


def too_much(world, page, facts):
    page.press("method.password")
    page.wait_step("form")
    put(page, "user_name", "a" * 1_000_000)
    page.press("submit")
    page.wait(lambda: page.text("h1") and not page.has("#product"), "a refusal")
    facts.check("a megabyte is refused in words", "more than a form" in page.text("body"), page.text("body"))
    page.open("/")
    facts.check("and nothing was done", page.step in ("form", "methods"), page.step)


PARTS = (
    ("hostile names and passwords", in_fields), ("hostile codes", in_codes), ("a hostile account", in_names),
    ("a megabyte", too_much))
