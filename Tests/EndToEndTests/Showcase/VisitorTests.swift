import Testing

@testable import showcase

@MainActor
@Suite struct VisitorTests {
  private let visitors = Visitors(port: 4711)

  private func request(_ cookie: String) -> Received {
    Received(method: "GET", path: "/", headers: ["Cookie": cookie])
  }

  @Test func `a browser is known by its cookie, among those of other ports`() {
    let visitor = visitors.welcome()
    let cookie = visitors.cookie(of: visitor).prefix { $0 != ";" }
    #expect(visitors.known(by: request("showcase-4712=x; \(cookie); a=b")) === visitor)
    #expect(visitors.known(by: request("showcase-4711=made-up")) == nil)
  }

  @Test func `no script can read the cookie, and no other site has it sent with a form`() {
    let cookie = visitors.cookie(of: visitors.welcome())
    #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"))
  }

  @Test func `of too many browsers the one that was here longest ago is forgotten`() {
    let (first, second) = (visitors.welcome(), visitors.welcome())
    let cookies = [first, second].map { request(String(visitors.cookie(of: $0).prefix { $0 != ";" })) }
    for _ in 2..<Visitors.capacity { _ = visitors.welcome() }
    #expect(visitors.known(by: cookies[0]) === first)
    _ = visitors.welcome()
    #expect(visitors.known(by: cookies[0]) === first)
    #expect(visitors.known(by: cookies[1]) == nil)
  }

  @Test func `the token of another browser owns nothing`() {
    let (visitor, other) = (visitors.welcome(), visitors.welcome())
    #expect(visitor.owns(FormFields("token=\(visitor.token)")))
    #expect(!visitor.owns(FormFields("token=\(other.token)")))
    #expect(!visitor.owns(FormFields("token=")))
    #expect(!visitor.owns(FormFields("")))
  }

  @Test func `a form can be used once`() {
    let visitor = visitors.welcome()
    let form = FormFields("form=\(Visitor.random())")
    #expect(visitor.use(form))
    #expect(!visitor.use(form))
    #expect(!visitor.use(FormFields("form=short")))
  }

  @Test func `fields are decoded`() {
    let fields = FormFields("a=1+2%263&d=%C3%A4&a=second&e")
    #expect(fields["a"] == "1 2&3")
    #expect(fields["d"] == "ä")
    #expect(fields["e"] == "")
  }

  @Test(arguments: ["%", "%zz", "%+f", "%ff"]) func `a form that no browser sends has no field`(text: String) {
    #expect(FormFields("token=known&b=\(text)")["token"] == "")
  }
}
