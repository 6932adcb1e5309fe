#if os(macOS) || os(Linux)
public import AuthenticationDomain
public import Foundation
#if os(macOS)
import AppKit
#else
import Synchronization
#endif

/// Shows the issuer's page in the user's own browser, and receives the redirect on a port of 127.0.0.1 (RFC 8252 §7.3):
/// for command lines and desktop apps.
///
/// ```swift
/// client.presenter = SystemBrowserPresenter(timeout: .seconds(120))
/// ```
public struct SystemBrowserPresenter: AuthorizationPresenter {
  private let timeout: Duration
  private let clock: any AuthenticationClock
  private let open: @Sendable (URL) async throws(AuthenticationError) -> Void
  private let onIgnored: @Sendable (AuthenticationError) -> Void

  /// Creates a presenter that waits for the redirect on the port that the client's ``RedirectURI`` names, or a free one
  /// (RFC 8252 §7.3).
  ///
  /// - Parameters:
  ///   - timeout: for the user to finish; more than 10 minutes has no effect, because the sign-in expires then.
  ///   - clock: the time; replace it in a test.
  ///   - open: shows the page. By default the user's browser; on Linux by the commands that `BROWSER` names, then under
  ///     WSL by `wslview`, then by the desktop's own command, `xdg-open`. It may return immediately or when the browser
  ///     closes; if it throws, the sign-in ends. A command that succeeds may still have shown nothing (in a container,
  ///     over SSH): tell the user the address as well.
  ///   - onIgnored: called, once for each reason, when the browser comes back with something other than the response to
  ///     this sign-in: without its `state`, or with an old one. It is ignored, since any page may send it; the error
  ///     (``AuthenticationError/security`` with the reason `state`) describes the ignored request and suggests the next
  ///     step.
  public init(
    timeout: Duration = .seconds(300), clock: any AuthenticationClock = SystemClock(),
    open: (@Sendable (URL) async throws(AuthenticationError) -> Void)? = nil,
    onIgnored: @escaping @Sendable (AuthenticationError) -> Void = { _ in }
  ) {
    self.timeout = timeout
    self.clock = clock
    if let open { self.open = open } else { self.open = SystemBrowser.open }
    self.onIgnored = onIgnored
  }

  /// Checks the redirect.
  ///
  /// - Throws: ``AuthenticationError/invalidConfiguration`` for a ``RedirectURI/address(_:)``
  ///   (RFC 8252 §7.3).
  public func validate(_ redirect: RedirectURI) throws(AuthenticationError) { _ = try Self.place(of: redirect) }

  /// Listens from before the page is shown until the response with this `state`, the timeout, or this task's
  /// cancellation (RFC 8252 §8.3). Any other request to the address, such as an image on a web page or a stale tab,
  /// gets a page and has no effect.
  ///
  /// - Throws: ``AuthenticationError/redirectPortBusy``, ``AuthenticationError/signInExpired``,
  ///   ``AuthenticationError/browserUnavailable`` or the error that `open` throws, ``AuthenticationError/cancelled``,
  ///   and ``AuthenticationError/security`` with the reason `redirect` for a redirect of more than 64 KiB.
  public func present(
    redirectingTo redirect: RedirectURI, answering state: String,
    _ makeURL: @Sendable (_ redirectURI: String) async throws(AuthenticationError) -> URL
  ) async throws(AuthenticationError) -> URL {
    let (host, port, path) = try Self.place(of: redirect)
    let listener = try CallbackListener(
      host: host, port: port, path: path, state: state, clock: clock, ignoring: onIgnored)
    let url: URL
    do throws(AuthenticationError) {
      url = try await makeURL(listener.redirectURI)
    } catch {
      await listener.close()
      throw error
    }
    let opening = Task { [open] in
      do throws(AuthenticationError) { try await open(url) } catch { listener.end(error) }
    }
    defer {
      opening.cancel()
      SystemBrowser.forget(url)
    }
    return try await listener.callback(within: timeout)
  }

  private static func place(
    of redirect: RedirectURI
  ) throws(AuthenticationError) -> (host: String, port: UInt16?, path: String) {
    switch redirect {
    case .loopback(let port, let path): ("127.0.0.1", port, path)
    case .localhost(let port, let path): ("localhost", port, path)
    case .address:
      throw AuthenticationError(
        .invalidConfiguration, "The browser can return to this presenter on a port of this machine only.",
        suggestion: "Use RedirectURI.loopback(), or another presenter.")
    }
  }
}

#if os(macOS)
/// The user's own browser (RFC 8252 §6). It gets the address itself: no other user of the machine can read it.
package enum SystemBrowser {
  /// Opens a page.
  ///
  /// - Throws: ``AuthenticationError/browserUnavailable``.
  @Sendable package static func open(_ url: URL) async throws(AuthenticationError) {
    guard ["https", "http"].contains(url.scheme), NSWorkspace.shared.open(url) else {
      throw AuthenticationError(
        .browserUnavailable, "The browser could not be opened.",
        suggestion: "Give SystemBrowserPresenter a closure that opens the page, or use DeviceSignIn.")
    }
  }

  /// Nothing is left behind.
  package static func forget(_ url: URL) {}

  package static func show(_ url: URL) async throws(AuthenticationError) { try await open(url) }
}
#else
/// The user's own browser, opened with the commands that `BROWSER` names, with `wslview` under WSL, or with the
/// desktop's command, `xdg-open`: the first that succeeds (RFC 8252 §6).
package enum SystemBrowser {
  /// Whether programs of Windows open pages, which cannot read this system's private files.
  private static func isWindowsBelow(_ environment: [String: String]) -> Bool {
    environment["WSL_DISTRO_NAME"] != nil || environment["WSL_INTEROP"] != nil
  }

  /// The commands, in the order in which they are tried.
  static func commands(_ environment: [String: String]) -> [String] {
    let own = (environment["BROWSER"] ?? "").split(separator: ":").map(String.init)
    return own + (isWindowsBelow(environment) ? ["wslview"] : []) + ["xdg-open"]
  }

  /// Opens a page; returns when the command has ended, or this task is cancelled, in which case the browser stays open.
  ///
  /// The command gets a file that redirects to the page and that only this user can read. Every user of the machine can
  /// read a command's arguments, and an attacker who knows the address could sign in with their own account and send
  /// this user's browser into it. ``SystemBrowserPresenter`` removes the file when its sign-in ends, however it ends;
  /// other callers must call ``forget(_:)``. Under WSL it gets the address: a browser of Windows cannot read the file.
  ///
  /// - Throws: ``AuthenticationError/browserUnavailable``, also if the file cannot be created; no file is left
  ///   then.
  @Sendable package static func open(_ url: URL) async throws(AuthenticationError) {
    let environment = ProcessInfo.processInfo.environment
    if isWindowsBelow(environment) { return try await show(url) }
    try await first(of: commands(environment)) { command throws(AuthenticationError) in
      try await open(url, by: command)
    }
  }

  private static func first(
    of commands: [String], _ open: (String) async throws(AuthenticationError) -> Void
  ) async throws(AuthenticationError) {
    for command in commands.dropLast() {
      do throws(AuthenticationError) { return try await open(command) } catch {
        if error == .cancelled { throw error }
      }
    }
    try await open(commands.last ?? "")
  }

  /// Removes the file that ``open(_:)`` created for this address, if there is one.
  static func forget(_ url: URL) { pages.withLock { $0.removeValue(forKey: url) }?.remove() }

  /// - Parameter launch: starts the command's process; a test starts one at a time.
  static func open(
    _ url: URL, by command: String, launch: (Process) throws -> Void = { try $0.run() }
  ) async throws(AuthenticationError) {
    guard ["https", "http"].contains(url.scheme) else { throw .browserUnavailable(command) }
    let page = try PrivatePage(leadingTo: url)
    pages.withLock { $0.updateValue(page, forKey: url) }?.remove()
    // The sign-in may have ended before this began.
    if Task.isCancelled {
      forget(url)
      throw .cancelled
    }
    do throws(AuthenticationError) {
      try await run(command, page.url, launch)
    } catch {
      forget(url)
      throw error
    }
  }

  /// Opens a page whose address is not secret, such as one that ends a session: the address is on the command line, and
  /// no file is left behind.
  ///
  /// Throws ``AuthenticationError/browserUnavailable``.
  package static func show(_ url: URL) async throws(AuthenticationError) {
    try await show(url, environment: ProcessInfo.processInfo.environment)
  }

  static func show(
    _ url: URL, environment: [String: String], launch: (Process) throws -> Void = { try $0.run() }
  ) async throws(AuthenticationError) {
    let commands = commands(environment)
    guard ["https", "http"].contains(url.scheme) else { throw .browserUnavailable(commands[0]) }
    try await first(of: commands) { command throws(AuthenticationError) in try await run(command, url, launch) }
  }

  /// By the addresses to which they redirect, each of which has its own state.
  private static let pages = Mutex<[URL: PrivatePage]>([:])

  /// A command of `BROWSER` may have arguments, and `%s` where the address stands.
  private static func arguments(_ command: String, _ address: String) -> [String] {
    if FileManager.default.isExecutableFile(atPath: command) { return [command, address] }
    let words = command.split(separator: " ").map(String.init)
    return words.contains { $0.contains("%s") } ? words.map { $0.replacing("%s", with: address) } : words + [address]
  }

  private static func run(
    _ command: String, _ url: URL, _ launch: (Process) throws -> Void = { try $0.run() }
  ) async throws(AuthenticationError) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments(command, url.absoluteString)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let ended = OneShotCallback()
    process.terminationHandler = { process in
      let isDone = process.terminationReason == .exit && process.terminationStatus == 0
      ended.complete(isDone ? .success(url) : .failure(.browserUnavailable(command, process.terminationStatus)))
    }
    do { try launch(process) } catch { throw .browserUnavailable(command) }
    _ = try await ended.value()
  }
}

extension AuthenticationError {
  fileprivate static func browserUnavailable(_ command: String, _ status: Int32? = nil) -> Self {
    Self(
      .browserUnavailable, "The browser could not be opened with '\(command)'.",
      suggestion: "Give SystemBrowserPresenter a closure that opens the page, or use DeviceSignIn.",
      cause: status.map { Cause(domain: "exit status", code: Int($0)) })
  }
}

/// A page in a file that only this user can read (0600, in a folder of 0700), which redirects a browser to an address
/// that other users must not know.
struct PrivatePage: Sendable {
  private let folder: String
  /// The file.
  let url: URL

  /// Throws ``AuthenticationError/browserUnavailable`` if it cannot be written.
  init(leadingTo address: URL) throws(AuthenticationError) {
    guard let folder = Self.places.lazy.compactMap(Self.makeFolder).first else { throw .noPrivatePage }
    let file = "\(folder)/sign-in.html"
    let isWritten = FileManager.default.createFile(
      atPath: file, contents: Data(Self.html(leadingTo: address).utf8), attributes: [.posixPermissions: 0o600])
    self.folder = folder
    url = URL(filePath: file)
    guard isWritten else {
      remove()
      throw .noPrivatePage
    }
  }

  func remove() { try? FileManager.default.removeItem(atPath: folder) }

  /// The home folder first: a sandboxed browser (snap, Flatpak) can read there, but no hidden and no temporary folder.
  private static var places: [String] {
    let home = ProcessInfo.processInfo.environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return [home, NSTemporaryDirectory()].compactMap(\.self)
  }

  private static func makeFolder(in place: String) -> String? {
    var template = Array("\(place)/sign-in-XXXXXX".utf8CString)
    return unsafe template.withUnsafeMutableBufferPointer { name in
      unsafe mkdtemp(name.baseAddress!).map { unsafe String(cString: $0) }
    }
  }

  /// The page runs no script, and sends no referrer.
  private static func html(leadingTo address: URL) -> String {
    let address = address.absoluteString.escapedForHTML
    return """
      <!DOCTYPE html>
      <html>
      <head>
      <meta charset="utf-8">
      <meta name="referrer" content="no-referrer">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'">
      <meta http-equiv="refresh" content="0;url=\(address)">
      <title>Sign in</title>
      </head>
      <body><a href="\(address)">Go on to sign in</a></body>
      </html>

      """
  }
}

extension String {
  fileprivate var escapedForHTML: String {
    let entities = [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;"), ("'", "&#39;")]
    return entities.reduce(self) { $0.replacing($1.0, with: $1.1) }
  }
}

extension AuthenticationError {
  fileprivate static let noPrivatePage = Self(
    .browserUnavailable, "No file that only this user can read could be made for the browser.",
    suggestion: "Check the home and the temporary folder, or show the page's address to the user.")
}
#endif
#endif
