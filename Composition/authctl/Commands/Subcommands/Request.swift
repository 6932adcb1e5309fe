import ArgumentParser
import AuthenticationKit
import AuthenticationWorkload
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
    let scopes: [String]
    if profile.isService {
      let service = try ServiceProfile(profile, in: folder)
      response = try await service.send(request)
      console.out(response.body)
      scopes = try await service.tokens(for: service.resource(at: Origin(request.url))).storedToken()?.scopes ?? []
    } else {
      let opened = try OpenProfile(profile, in: folder)
      response = try await opened.deliveringAfterwards {
        let response = try await opened.client(for: request.url).send(request)
        console.out(response.body)
        return response
      }
      if let unsaved = opened.root.manager.state.activeSession?.unsaved { throw unsaved }
      scopes = opened.root.manager.state.session?.accessToken.scopes ?? []
    }
    if !response.isSuccess {
      let hint = response.body.isEmpty ? "It has no body." : "Its body is on standard output."
      let next = response.accessRefusal.map { profile.advice(on: $0, granted: scopes, named: options.profile) } ?? ""
      console.say("authctl: \(request) answered HTTP \(response.status). \(next)\(hint)")
      // For the claims of a challenge, which a refresh did not bring, the user is needed.
      let isUserNeeded = response.accessRefusal?.requirements?.claims != nil
      throw (isUserNeeded ? ExitStatus.signedOut : .resource).exitCode
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

extension Profile {
  /// The rights that a resource lacks in the token, and the command that gets them.
  ///
  /// - Parameters:
  ///   - refusal: the demand of the resource. Of its words only those are repeated that a shell takes as they are.
  ///   - granted: the scopes of the session, which a login replaces: the next one asks for them, too.
  ///   - name: of this profile.
  fileprivate func advice(on refusal: AuthenticationError, granted: [String], named name: String) -> String {
    let missing = refusal.requiredScopes.filter(\.isShellWord)
    if refusal == .insufficientScope {
      guard !missing.isEmpty else { return "The token lacks a scope. " }
      let lack = "The token lacks: \(missing.joined(separator: " ")). "
      guard openID != nil || ProviderKind.named(provider)?.optional.contains(.scope) == true else { return lack }
      let known = granted.isEmpty ? openID?.scopes ?? settings[.scope].split(separator: " ").map(String.init) : granted
      let union = known.filter(\.isShellWord) + missing.filter { !known.contains($0) }
      return lack + "To ask for it: '\(login(["--scope \"\(union.joined(separator: " "))\""], name))'. "
    }
    var changes: [String] = []
    // Whether the user can be asked to sign in otherwise.
    if openID != nil || ProviderKind.named(provider)?.hasIssuersPage == true {
      let contexts = refusal.requirements?.acrValues.filter(\.isShellWord) ?? []
      if !contexts.isEmpty { changes.append("--acr-values \"\(contexts.joined(separator: " "))\"") }
      if let claims = refusal.requirements?.claims, claims.utf8.allSatisfy({ 0x20...0x7E ~= $0 && $0 != 0x27 }) {
        changes.append("--param 'claims=\(claims)'")
      }
      // The age of a sign-in is no option: a new one is as recent as can be.
      if changes.isEmpty || refusal.requirements?.maxAge != nil { changes.append("--prompt login") }
    }
    return "The resource asks for another sign-in: '\(login(changes, name))'. "
  }

  /// The login of this profile, with these options first.
  private func login(_ changes: [String], _ name: String) -> String {
    var options: [(name: String, value: String)] = []
    if let openID {
      options += [("issuer", openID.issuer), ("client-id", openID.clientID)]
      if openID.hasSecret { options.append(("client-secret-file", "FILE")) }
      if openID.flow != .browser, changes.allSatisfy({ $0.hasPrefix("--scope") }) {
        options.append(("flow", openID.flow.rawValue))
      }
      if let audience = openID.audience { options.append(("audience", audience)) }
      if let port = openID.redirectPort { options.append(("redirect-port", "\(port)")) }
    } else {
      if !isResource { options.append(("provider", provider)) }
      for (option, value) in settings.sorted(by: { $0.key < $1.key }) where option != ProviderOption.scope.name {
        let isFile = [ProviderOption.clientSecretFile.name, ProviderOption.privateKey.name].contains(option)
        let isList = option == ProviderOption.allowTenant.name
        let values = isFile ? ["FILE"] : isList ? value.split(separator: " ").map(String.init) : [value]
        options += values.map { (option, $0) }
      }
    }
    options += allowedOrigins.map { ("allow-origin", $0) }
    options += (resources ?? []).map { ("resource", "\($0.resource)=\($0.origin)") }
    if name != ProfileFolder.defaultName { options.append(("profile", name)) }
    let words = options.map { "--\($0.name) \($0.value.isShellWord ? $0.value : "\"\($0.value)\"")" }
    return (["authctl login"] + changes + words).joined(separator: " ")
  }
}

extension String {
  /// Whether a shell takes it as it is, also in quotation marks.
  fileprivate var isShellWord: Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        0x61...0x7A ~= byte | 0x20 || 0x30...0x39 ~= byte || "-_.:/@+=,~%".utf8.contains(byte)
      }
  }
}
