import ArgumentParser
import AuthenticationKit
import Foundation

struct Request: Command {
  static let configuration = CommandConfiguration(
    commandName: "request", abstract: "Send one HTTP request with the token attached; its body goes to stdout.")

  @Option(name: [.customShort("X"), .customLong("method")], help: "The method; GET, or POST with data.")
  var method: String?

  @Option(name: [.customShort("H"), .customLong("header")], help: "A header field, \"Name: value\". Repeatable.")
  var header: [String] = []

  @Option(
    name: [.customShort("d"), .customLong("data")],
    help: "The body; @FILE reads it from a file and @- from standard input, without line breaks as curl does.")
  var data: String?

  @Argument(help: "Where to; an origin that `login` allowed.")
  var url: String

  @OptionGroup var options: ProfileOptions

  func status(of error: AuthenticationError) -> ExitStatus { ExitStatus(refresh: error, of: options) }

  func perform(on console: Console) async throws {
    let request = try httpRequest()
    let folder = ProfileFolder(options, console)
    let profile = try folder.saved()
    let response: HTTPResponse
    if profile.isService {
      response = try await ServiceProfile(profile, in: folder).send(request)
      console.out(response.body)
    } else {
      let opened = try OpenProfile(profile, in: folder)
      response = try await opened.deliveringAfterwards {
        let response = try await opened.client(for: request.url).send(request)
        console.out(response.body)
        return response
      }
      if let unsaved = opened.root.manager.state.activeSession?.unsaved { throw unsaved }
    }
    if !response.isSuccess {
      let hint = response.body.isEmpty ? "It has no body." : "Its body is on standard output."
      let missing = response.missingScopes.map { "The token lacks: \($0). " } ?? ""
      console.say("authctl: \(request) answered HTTP \(response.status). \(missing)\(hint)")
      throw ExitStatus.resource.exitCode
    }
  }

  /// As `curl -d`: carriage returns, line feeds and zero bytes of a file are left out.
  private func body(_ data: String) throws -> Data {
    guard data.hasPrefix("@") else { return Data(data.utf8) }
    let path = String(data.dropFirst())
    do {
      let file = path == "-" ? .standardInput : try FileHandle(forReadingFrom: URL(filePath: path))
      return try (file.readToEnd() ?? Data()).filter { ![0x00, 0x0A, 0x0D].contains($0) }
    } catch {
      throw ValidationError("--data cannot be read from \(path == "-" ? "standard input" : "'\(path)'").")
    }
  }

  private func httpRequest() throws -> HTTPRequest {
    let address = URL(string: url)
    guard address?.user() == nil, address?.password() == nil else {
      throw ValidationError("The URL has user info before the host ('name@'): leave it out, the token is sent instead.")
    }
    guard let url = address, Origin(url) != nil else {
      throw ValidationError("The URL is not an absolute http or https URL.")
    }
    let method = method ?? (data == nil ? "GET" : "POST")
    // A method is a token (RFC 9110 §9.1).
    guard method.isToken else { throw ValidationError("--method is a word like GET.") }
    var request = HTTPRequest(HTTPMethod(rawValue: method), url, body: try data.map(body))
    for field in header { try add(field, to: &request.headers) }
    if data != nil, request.headers["Content-Type"] == nil {
      request.headers["Content-Type"] = "application/x-www-form-urlencoded"
    }
    return request
  }

  /// Adds a field written "Name: value" (RFC 9110 §5).
  private func add(_ field: String, to headers: inout HTTPHeaders) throws {
    let parts = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard parts.count == 2, name.isToken else { throw ValidationError("--header is written \"Name: value\".") }
    let value = parts[1].trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
    guard value.utf8.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }) else {
      throw ValidationError("--header: a value has no line break and no control character.")
    }
    headers.append(name, value)
  }
}

extension HTTPResponse {
  /// The scopes that a 403 asks for (RFC 6750 §3.1); nil if it names none.
  fileprivate var missingScopes: String? {
    guard status == 403, !isFromOtherOrigin else { return nil }
    let challenge = challenges.first { $0.parameters["error"] == "insufficient_scope" }
    return challenge?.parameters["scope"].flatMap { $0.isEmpty ? nil : $0.printable }
  }
}
