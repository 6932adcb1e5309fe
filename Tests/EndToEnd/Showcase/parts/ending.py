"""The end of the command."""
from waiting import answers


def control_c(world, page, facts):
    page.driver.open("about:blank")
    facts.equal("control-C ends the command without a crash", world.showcase.stop(), 0)
    facts.check("its port is closed", not answers(world.showcase.port))


PARTS = (("control-C", control_c),)
