"""axe on each page, light and dark, narrow and wide; reflow, and what is said to who does not see."""
from parts.places import PAGES

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
WIDTHS = (320, 1280)
AUDIT = """
const [tags, done] = arguments;
const told = (finding) => finding.id + ": " + finding.nodes.map((node) => node.target.join(" ")).slice(0, 4).join(", ");
axe.run(document, { runOnly: { type: "tag", values: tags }, resultTypes: ["violations", "incomplete"] }).then(
  (result) => done({ violations: result.violations.map(told), incomplete: result.incomplete.map(told) }),
  (error) => done({ violations: [String(error)], incomplete: [] }));
"""


def audits(world, page, facts):
    page.choose_line("api")
    try:
        for name, to in PAGES:
            desktop(page)
            if not page.driver.url.startswith(world.showcase.address) or not page.has("#product"):
                page.open("/")
            to(page)
            for scheme in ("light", "dark"):
                for width in WIDTHS:
                    audit(world, page, facts, name, scheme, width)
    finally:
        desktop(page)
        page.open("/")
        page.choose_line("api")
        page.to_methods()


def desktop(page):
    page.driver.cdp("Emulation.clearDeviceMetricsOverride")
    page.driver.cdp("Emulation.setEmulatedMedia", features=[])


def audit(world, page, facts, name, scheme, width, has_picture=True):
    # A moving part is between two colours for a moment.
    features = [
        {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}]
    page.driver.cdp("Emulation.setEmulatedMedia", features=features)
    page.driver.cdp(
        "Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 500)
    page.wait(lambda: page.driver.script("return innerWidth") == width, f"a width of {width}")
    page.driver.script(world.axe)
    result = page.driver.asynchronous(AUDIT, TAGS)
    unsure = [finding for finding in result["incomplete"] if finding.startswith("color-contrast")]
    facts.equal(f"axe finds nothing on {name}, {scheme}, {width}", result["violations"] + unsure, [])
    scrolled = page.driver.script("return document.documentElement.scrollWidth")
    facts.check(f"nothing scrolls sideways on {name}, {scheme}, {width}", scrolled <= width, scrolled)
    if has_picture:
        page.picture(f"{name.replace(' ', '-').replace(chr(39), '')}-{scheme}-{width}")


def live_text(world, page, facts):
    facts.equal("there is one place for what is said", len(page.driver.find("[role=status]")), 1)
    page.sign_in("mary")
    page.wait_step("code")
    page.driver.script("""
      window.said = [];
      new MutationObserver(() => said.push(document.querySelector("#status").textContent))
        .observe(document.querySelector("#status"), { childList: true, characterData: true, subtree: true });""")
    page.play("jump")
    said = page.wait(lambda: page.driver.script("return window.said.join()"), "what is said of a code that expires")
    facts.check("what comes by itself is said", "code" in said.lower(), said)
    page.to_methods()


def magnified(world, page, facts):
    page.driver.cdp("Emulation.setDeviceMetricsOverride", width=640, height=480, deviceScaleFactor=2, mobile=False)
    try:
        page.open("/")
        facts.check(
            "at twice the size of a window of 1280 nothing scrolls sideways",
            page.driver.script("return document.documentElement.scrollWidth <= innerWidth"))
        fixed = page.driver.script(
            "return [...document.querySelectorAll('body *')]"
            ".filter(e => getComputedStyle(e).position === 'fixed').length")
        facts.equal("nothing hides what has the focus", fixed, 0)
    finally:
        desktop(page)


PARTS = (("axe on each page", audits), ("what is said", live_text), ("twice the size", magnified))
