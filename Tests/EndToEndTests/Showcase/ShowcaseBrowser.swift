import AuthenticationData
import Foundation
import Testing

@testable import showcase

/// A browser without script: it keeps the cookie, and sends the forms of the page that it shows.
struct ShowcaseBrowser {
  let server: ShowcaseServer
  private(set) var page = ""
  private var cookie: String?
  private let client: SystemHTTPClient

  init(_ server: ShowcaseServer) throws {
    self.server = server
    client = try SystemHTTPClient()
  }

  mutating func open(_ path: String = "/") async throws {
    page = String(decoding: try await get(path).body, as: UTF8.self)
  }

  mutating func get(_ path: String) async throws -> HTTPResponse {
    let url = try #require(URL(string: server.address + path.dropFirst()))
    let response = try await client.send(HTTPRequest(.get, url, headers: cookie.map { ["Cookie": $0] } ?? [:]))
    if let set = response.headers["Set-Cookie"] { cookie = String(set.prefix { $0 != ";" }) }
    return response
  }

  /// The hidden fields of the form that has this button.
  func form(of intent: String) throws -> [String: String] {
    let forms = page.components(separatedBy: "<form").dropFirst()
    let form = try #require(forms.first { $0.contains(#"value="\#(intent)""#) }, "No form has the button \(intent).")
    let hidden = form.matches(of: /type="hidden" name="([^"]*)" value="([^"]*)"/)
    return Dictionary(hidden.map { (String($0.1), String($0.2)) }) { first, _ in first }
  }

  /// Presses a button, and goes where the answer leads.
  mutating func press(_ intent: String, _ typed: [String: String] = [:]) async throws {
    let response = try await send(form(of: intent).merging(typed) { $1 }.merging(["intent": intent]) { $1 })
    #expect(response.status == 303)
    let place = try #require(response.headers["Location"])
    if place.hasPrefix("/") { try await open(place) }
  }

  func send(_ fields: [String: String], _ headers: [String: String?] = [:]) async throws -> HTTPResponse {
    let pairs = fields.map { name, value in
      name + "=" + (value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
    }
    var request = HTTPRequest(
      .post, try #require(URL(string: server.address + "do")), body: Data(pairs.joined(separator: "&").utf8))
    var all: [String: String?] = [
      "Cookie": cookie, "Origin": String(server.address.dropLast()), "Sec-Fetch-Site": "same-origin",
      "Content-Type": "application/x-www-form-urlencoded",
    ]
    all.merge(headers) { $1 }
    for (name, value) in all { request.headers[name] = value }
    return try await client.send(request)
  }
}
