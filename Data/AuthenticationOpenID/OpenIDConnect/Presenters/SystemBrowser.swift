#if os(macOS) || os(Linux)
public import AuthenticationDomain
public import Foundation
import Synchronization

/// The person's own browser, opened with the desktop's command: `open` (macOS) or `xdg-open` (RFC 8252 §6).
public enum SystemBrowser {
  #if os(macOS)
  static let command = "open"
  #else
  static let command = "xdg-open"
  #endif

  /// Opens a page; returns when the command has ended, or this task is cancelled, in which case the browser stays open.
  ///
  /// The command gets a file that redirects to the page and that only this user can read. Every user of the machine can
  /// read a command's arguments, and an attacker who knows the address could sign in with their own account and send
  /// this person's browser into it. ``SystemBrowserPresenter`` removes the file when its sign-in ends, however it ends;
  /// other callers must call ``forget(_:)``.
  ///
  /// - Throws: ``AuthenticationError/Code/browserUnavailable``, also if the file cannot be created; no file is left
  ///   then.
  @Sendable public static func open(_ url: URL) async throws(AuthenticationError) {
    try await open(url, by: command)
  }

  /// Removes the file that ``open(_:)`` created for this address, if there is one.
  public static func forget(_ url: URL) { pages.withLock { $0.removeValue(forKey: url) }?.remove() }

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
  /// Throws ``AuthenticationError/Code/browserUnavailable``.
  package static func show(_ url: URL) async throws(AuthenticationError) {
    guard ["https", "http"].contains(url.scheme) else { throw .browserUnavailable(command) }
    try await run(command, url)
  }

  /// By the addresses to which they redirect, each of which has its own state.
  private static let pages = Mutex<[URL: PrivatePage]>([:])

  private static func run(
    _ command: String, _ url: URL, _ launch: (Process) throws -> Void = { try $0.run() }
  ) async throws(AuthenticationError) {
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
#endif
