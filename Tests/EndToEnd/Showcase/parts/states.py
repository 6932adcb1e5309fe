"""Each state of each flow, on a separate page: no click leads to all of them."""
from parts.access import WIDTHS, audit, desktop


def each_state(world, page, facts):
    page.open("/states")
    names = page.driver.script("return [...document.querySelectorAll('main li a')].map(a => a.textContent)")
    facts.check("there is a page for each state", len(names) > 100, len(names))
    try:
        for number, name in enumerate(names):
            page.open(f"/states?of={number}")
            facts.check(f"{name} has a heading", page.text("#product-heading") != "")
            for scheme in ("light", "dark"):
                for width in WIDTHS:
                    audit(world, page, facts, name, scheme, width, has_picture=False)
    finally:
        desktop(page)


def only_looked_at(world, page, facts):
    page.open("/states?of=0")
    status = page.driver.asynchronous("""
      const [done] = arguments;
      fetch("/do", { method: "POST", body: new URLSearchParams({ page: "/", intent: "method.password", token: "" }) })
        .then((answer) => done(answer.status), (error) => done(String(error)))""")
    facts.equal("a form without a session is refused", status, 403)
    page.open("/states?of=100000")
    facts.check("a state that is not there is told", "no such page" in page.text("body"), page.text("body"))


PARTS = (("each state of each flow", each_state), ("a state is only looked at", only_looked_at))
