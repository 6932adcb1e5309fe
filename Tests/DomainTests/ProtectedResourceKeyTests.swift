import AuthenticationDomain
import Testing

/// Under which name the token of a resource is kept.
@Suite struct ProtectedResourceKeyTests {
  @Test func `two resources never have the same key`() {
    let resources: [ProtectedResource] = [
      .scopes([]), .scopes(["a"]), .scopes(["a", "b"]), .scopes(["a b"]), .scopes([""]), .scopes(["=a"]),
      .resource(""), .resource("a"), .resource("a b"), .resource("a", scopes: ["b"]), .resource("a", scopes: ["b c"]),
      .resource("a", scopes: ["b", "c"]), .resource("a b", scopes: ["c"]), .resource("", scopes: ["a"]),
      .resource("a\" \"b"), .resource("a\\\" \\\"b"), .resource("a\\"), .resource("a\\\\"), .resource("=a"),
      .resource("\u{8C48}"), .resource("\u{F900}"), .resource("\\u{8C48}"), .resource("a\u{0}"), .resource("a\n"),
    ]
    #expect(Set(resources.map { Array($0.key.utf8) }).count == resources.count)
  }

  @Test func `the order of the scopes makes no other token`() {
    #expect(
      ProtectedResource.resource("a", scopes: ["b", "c"]).key
        == ProtectedResource.resource("a", scopes: ["c", "b"]).key)
  }
}
