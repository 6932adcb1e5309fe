import AuthenticationData
import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationOpenID

@Suite struct JSONObjectTests {
  func object(_ text: String) throws -> JSONObject { try JSONObject(Array(text.utf8)) }

  @Test(arguments: [
    ("\"a\"", "a"), ("\"\"", ""), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e9\u20AC""#, "é€"),
    (#""\ud83d\udcbb!""#, "💻!"), ("\"é\\u0041€\"", "éA€"), (#""x\u0000y""#, "x\u{0}y"),
  ])
  func `a string is read as it is meant`(json: String, text: String) throws {
    #expect(try object("{\"v\":\(json),\"w\":\"after\"}").string("v") == text)
    #expect(try object(" {\"v\" : \(json) , \"w\":\"after\"}\n").string("w") == "after")
    #expect(try object("{\"v\":[\(json),\"z\"]}").strings("v") == [text, "z"])
    #expect(try object("{\(json):1}").date(text) == Date(timeIntervalSince1970: 1))
  }

  @Test(arguments: [
    ("0", 0), ("-0", 0), ("17", 17), ("-17", -17), ("1712345678.5", 1_712_345_678.5), ("1.5e3", 1_500), ("2E+1", 20),
    ("25e-1", 2.5), ("1234567890.1234567", 1_234_567_890.123_456_7),
  ])
  func `a number is read as a date`(json: String, number: Double) throws {
    #expect(try object("{\"v\":\(json)}").date("v") == Date(timeIntervalSince1970: number))
  }

  @Test(arguments: [
    "01", "+1", "1.", ".5", "1e", "1e+", "--1", "0x1", "1a", "NaN", "Infinity", "tru", "nul", "falsee", "'a'", "",
    "\"a", "\"\\x\"", "\"\\u12\"", "\"\\u12G4\"", "\"\\ud83d\"", "\"\\ud83dx\"", "\"\\ud83d\\u0041\"", "\"\\udcbb\"",
    "\"a\nb\"", "\"\u{0}\"", "[1,]", "[,1]", "[1 2]", "[1", "{\"a\":1,}", "{a:1}", "{\"a\"}", "{\"a\":}", "[\"\\q\"]",
    "{\"a\":1 \"b\":2}", "]", "[}", "/**/1", "1 //", "\"\\uD800\\uD800\"", "\"\\u+123\"",
  ])
  func `text that is not exactly JSON is refused`(json: String) {
    #expect(throws: MalformedJSON.self) { try object("{\"v\":\(json)}") }
    #expect(throws: MalformedJSON.self) { try object("{\"v\":[\(json),1]}") }
  }

  @Test(arguments: [
    "", " ", "1", "[]", "null", "\"a\"", "{", "{}{}", "{} x", "{\"a\":1", "\u{FEFF}", "\u{FEFF}\u{FEFF}{}",
    " \u{FEFF}{}",
    "{}\u{FEFF}",
  ])
  func `text that is not one object is refused`(json: String) {
    #expect(throws: MalformedJSON.self) { try object(json) }
  }

  @Test(arguments: [
    "\"1712345678\"", "\"1e999\"", "1e999", "\" 1\"", "\"1 \"", "\"0x10\"", "\"\"", "\"nan\"", "true", "[1]", "\"+1\"",
  ])
  func `a value that is no finite number is not read as one`(json: String) throws {
    let object = try object("{\"v\":\(json)}")
    #expect(throws: MalformedJSON.self) { try object.date("v") }
  }

  @Test func `a name that stands twice is refused, however it is written`() {
    for json in [#"{"a":1,"a":1}"#, #"{"a":1,"b":2,"\u0061":3}"#, #"{"":1,"":1}"#] {
      #expect(throws: MalformedJSON.self) { try object(json) }
    }
    #expect(throws: Never.self) { try object(#"{"a":{"b":1},"b":{"a":1}}"#) }
  }

  @Test func `null is absent, and is still there`() throws {
    let object = try object(#"{"v":null}"#)
    #expect(try object.string("v") == nil && object.date("v") == nil && object.strings("v") == nil)
    #expect(object.contains("v") && !object.contains("w"))
  }

  @Test func `another kind of value is said to be of the wrong kind`() throws {
    let object = try object(#"{"n":1,"b":true,"a":["x",1],"o":{},"s":"x"}"#)
    for name in ["n", "b", "a", "o"] { #expect(throws: MalformedJSON.self) { try object.string(name) } }
    for name in ["b", "a", "o", "s"] { #expect(throws: MalformedJSON.self) { try object.date(name) } }
    for name in ["n", "b", "a", "o", "s"] { #expect(throws: MalformedJSON.self) { try object.strings(name) } }
    #expect(try object.strings("s", orOne: true) == ["x"])
  }

  @Test func `a value nested 32 deep is read, and one nested 33 deep is refused`() throws {
    func nested(_ depth: Int, _ open: String, _ close: String) -> String {
      "{\"v\":" + String(repeating: open, count: depth - 1) + "1" + String(repeating: close, count: depth - 1) + "}"
    }
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
      #expect(throws: Never.self) { try object(nested(32, open, close)) }
      for depth in [33, 10_000, 200_000] {
        #expect(throws: MalformedJSON.self) { try object(nested(depth, open, close)) }
      }
    }
  }

  @Test func `an object of more than 4096 members is refused`() {
    func members(_ count: Int) -> String { "{\((0..<count).map { "\"m\($0)\":0" }.joined(separator: ","))}" }
    #expect(throws: Never.self) { try object(members(4_096)) }
    #expect(throws: MalformedJSON.self) { try object(members(4_097)) }
  }

  @Test func `a byte order mark before an object is ignored, as by every other reader of JSON here`() throws {
    let json = "\u{FEFF} {\"v\":\"x\",\"a\":[\"y\"],\"o\":{\"b\":1}}"
    let object = try object(json)
    #expect(try object.string("v") == "x" && object.strings("a") == ["y"])
    #expect(try object.object("o") == Array("{\"b\":1}".utf8))
    #expect(try BoundedJSON.decode([String: JSONValue].self, from: Data(json.utf8))["v"] == .string("x"))
    #expect(JSONMembers(json: Data(json.utf8))?["v"] == "x")
    #expect(try JSONWebKeySet(json: Data("\u{FEFF}{\"keys\":[]}".utf8)).keys.isEmpty)
  }

  @Test func `bytes that are not UTF-8 are refused`() {
    for bytes: [UInt8] in [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xE2, 0x82]] {
      #expect(throws: MalformedJSON.self) { try JSONObject(Array("{\"v\":\"".utf8) + bytes + Array("\"}".utf8)) }
    }
  }

  @Test func `text that Foundation's reader reads differently is refused, never misread`() throws {
    var generator = SystemRandomNumberGenerator()
    // Three changed bytes make no number of it that is beyond the range of Double, which Foundation's reader refuses.
    let seed = Array(#"{"a":"x\u00e9\n","b":[1,-2,{"c":null}],"d":true,"e":"é"}"#.utf8)
    for _ in 0..<5_000 {
      var bytes = seed
      for _ in 0...Int.random(in: 0...2) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...127, using: &generator)
      }
      guard let object = try? JSONObject(bytes) else { continue }
      let reference = try #require(try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
      if let text = reference["a"] as? String { #expect(try object.string("a") == text) }
    }
  }
}
