import AuthenticationDomain
import Testing

@Suite struct CodeFormatTests {
  @Test(arguments: [
    (" 123 456\n", "123456"), ("123-456", "123456"), ("１２３４５６", "123456"), ("٠١٢٣٤٥", "012345"), ("१२३", "123"),
    ("12–34—56", "123456"), ("\u{200B}12\u{FEFF}34", "1234"), ("aB-cD 9", "aBcD9"), ("", ""), ("Ⅳ½", "Ⅳ½"),
  ])
  func `a code has the form that the provider expects, however it was typed`(typed: String, code: String) {
    #expect(CodeFormat.cleaned(typed) == code)
  }

  @Test(arguments: [("123456", true), ("12345", false), ("1234567", false), ("12345a", false), ("１２３４５６", false)])
  func `six digits are six digits`(code: String, matches: Bool) {
    #expect(CodeFormat.digits(6).matches(code) == matches)
  }

  @Test func `a recovery code may have letters`() {
    let format = CodeFormat(length: 8...10, alphabet: .lettersAndDigits)
    #expect(format.matches("ab12CD34"))
    #expect(!format.matches("ab12-CD34"))
    #expect(!format.matches("äb12CD34"))
  }
}
