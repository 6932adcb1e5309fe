import AuthenticationTestingServers
import Testing

@Suite struct HTMLTests {
  @Test func `a script in a text is text`() {
    let page = HTML("p") { "<script>alert(1)</script> & more" }
    #expect(page.markup == "<p>&lt;script&gt;alert(1)&lt;/script&gt; &amp; more</p>")
  }

  @Test func `the value of an attribute cannot end it`() {
    let input = HTML("input", ["value": #"" autofocus onfocus='alert(1)'"#])
    #expect(input.markup == #"<input value="&quot; autofocus onfocus=&#39;alert(1)&#39;">"#)
  }

  @Test(arguments: ["javascript:alert(1)", "data:text/html,x", "//elsewhere.example", "/\\elsewhere.example", " /x"])
  func `an address that is neither the site's own nor of the web leads nowhere`(address: String) {
    #expect(HTML("a", ["href": address]) { "x" }.markup == ##"<a href="#">x</a>"##)
  }

  @Test(arguments: ["/account", "#message", "https://example.com/?a=1", "http://127.0.0.1:80/device"])
  func `an address of the site or of the web stays`(address: String) {
    #expect(HTML("a", ["href": address]).markup == #"<a href="\#(address)"></a>"#)
  }

  @Test func `a control character becomes the replacement character`() {
    #expect(HTML(text: "a\u{0}b\u{1B}c\u{9B}d\ne\tf").markup == "a\u{FFFD}b\u{FFFD}c\u{FFFD}d\ne\tf")
  }

  @Test func `an attribute without a value is left out, an empty one is not`() {
    #expect(HTML("input", ["hidden": nil, "autofocus": ""]).markup == #"<input autofocus="">"#)
  }

  @Test func `a text from elsewhere cannot turn the line around it`() {
    let text = HTML.foreign("a\u{202E}b\u{200F}c\u{2066}d\u{200B}e\u{FEFF}")
    #expect(text.markup == "<bdi>abcde</bdi>")
  }

  @Test func `a text from elsewhere that is a megabyte long is cut`() {
    #expect(HTML.foreign(String(repeating: "x", count: 1 << 20), limit: 10).markup == "<bdi>xxxxxxxxxx…</bdi>")
    #expect(HTML.foreign(String(repeating: "e\u{301}", count: 1 << 20), limit: 10).markup.utf8.count < 100)
  }
}
