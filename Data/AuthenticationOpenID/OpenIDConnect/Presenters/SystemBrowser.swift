#if os(macOS) || os(Linux)
public import AuthenticationDomain
public import Foundation
import Synchronization

/// The person's own browser, by the desktop's command for it: `open` (macOS) or `xdg-open` (RFC 8252 §6).
public enum SystemBrowser {
  #if os(macOS)
  static let command = "open"
  #else
  static let command = "xdg-open"
  #endif

  /// Returns when the command has ended, or this task is cancelled; the browser stays open then. While the command runs,
  /// other processes of this machine can read the URL in its arguments (RFC 8252 §8.1). An authorization request holds no
  /// secret but the state, which alone is worth nothing; the page that ends a session is shown without an ID token.
  ///
  /// Throws ``AuthenticationError/Code/browserUnavailable``.
  @Sendable public static func open(_ url: URL) async throws(AuthenticationError) {
    try await run(command, url)
  }

  static func run(_ command: String, _ url: URL) async throws(AuthenticationError) {
    guard ["https", "http"].contains(url.scheme) else { throw .browserUnavailable(command) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [command, url.absoluteString]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let ended = OneShotCallback()
    process.terminationHandler = { process in
      let isDone = process.terminationReason == .exit && process.terminationStatus == 0
      ended.answer(isDone ? .success(url) : .failure(.browserUnavailable(command, process.terminationStatus)))
    }
    do { try process.run() } catch { throw .browserUnavailable(command) }
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
#endif
