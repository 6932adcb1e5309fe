#if canImport(Glibc)
import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

/// A file system that lacks calls, and a process that lacks file descriptors.
@Suite(.serialized) struct AuthCTLFileSystemTests {
  let authctl: AuthCTL
  let server = LoopbackIdentityServer()
  let url: URL

  init() async throws {
    authctl = try AuthCTL()
    url = try await server.start()
  }

  /// Runs the command before the C library of which these calls are.
  private func run(_ arguments: [String], replacing calls: String) async throws -> AuthCTL.Outcome {
    let source = authctl.home.url.appending(path: "calls.c")
    try Data(calls.utf8).write(to: source)
    let line = """
      clang -shared -fPIC -o "$AUTHCTL_HOME/calls.so" "$AUTHCTL_HOME/calls.c" -ldl || exit 99
      LD_PRELOAD="$AUTHCTL_HOME/calls.so" exec "$0" \(arguments.joined(separator: " "))
      """
    return try await authctl.shell(line, path: ProcessInfo.processInfo.environment["PATH"])
  }

  private static let heading = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <errno.h>
    #include <sys/stat.h>
    #include <sys/types.h>

    """

  private static func syncing(_ result: String) -> String {
    heading + """
      int fsync(int descriptor) {
        struct stat status;
        if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) { errno = \(result); return -1; }
        return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(descriptor);
      }
      """
  }

  @Test(arguments: ["EINVAL", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"])
  func `a refresh is stored where a folder cannot be synced`(result: String) async throws {
    _ = try await authctl.login(url)
    try authctl.ageStoredSession(url)
    let token = try await run(["token"], replacing: Self.syncing(result))
    #expect(token.status == 0, "\(token.err)")
    #expect(try await authctl.run("token").out == token.out)
    #expect(server.counters.requests(on: .refresh) == 1)
  }

  @Test(arguments: ["EIO", "ENOSPC"])
  func `a folder that cannot be synced for another reason is exit 6, and nothing is sent`(result: String) async throws {
    _ = try await authctl.login(url)
    try authctl.ageStoredSession(url)
    let token = try await run(["token"], replacing: Self.syncing(result))
    #expect(token.status == 6, "\(token.err)")
    #expect(server.counters.requests(on: .refresh) == 0)
  }

  @Test func `a file system without modes, links and watches is enough`() async throws {
    _ = try await authctl.login(url)
    try authctl.ageStoredSession(url)
    let calls =
      Self.heading + """
        int fchmod(int descriptor, mode_t mode) { errno = EPERM; return -1; }
        int fchmodat(int folder, const char *path, mode_t mode, int flags) { errno = EPERM; return -1; }
        int linkat(int from, const char *old, int to, const char *new, int flags) { errno = EPERM; return -1; }
        int inotify_add_watch(int descriptor, const char *path, unsigned events) { errno = ENOSYS; return -1; }
        """
    let token = try await run(["token"], replacing: calls)
    #expect(token.status == 0, "\(token.err)")
    #expect(server.counters.requests(on: .refresh) == 1)
  }

  @Test func `a file system that ignores modes, and refuses an owner, is exit 6`() async throws {
    _ = try await authctl.login(url)
    let calls =
      Self.heading + """
        #include <fcntl.h>
        #include <string.h>
        int fchmodat(int folder, const char *path, mode_t mode, int flags) { return 0; }
        int lstat(const char *path, struct stat *status) {
          if (strstr(path, "profiles/default")) { errno = EACCES; return -1; }
          int result = fstatat(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
          if (result == 0 && S_ISDIR(status->st_mode)) status->st_mode &= ~0100;
          return result;
        }
        """
    let token = try await run(["token"], replacing: calls)
    #expect(token.status == 6, "\(token.err)")
  }

  @Test(arguments: ["ENOLCK", "ENOSYS", "EOPNOTSUPP", "EINVAL"])
  func `a file system without locks is exit 6 that says so, and nothing is sent`(result: String) async throws {
    _ = try await authctl.login(url)
    try authctl.ageStoredSession(url)
    let token = try await run(
      ["token"], replacing: Self.heading + "int flock(int descriptor, int operation) { errno = \(result); return -1; }")
    #expect(token.status == 6, "\(token.err)")
    #expect(token.err.contains("no locks between processes"), "\(token.err)")
    #expect(server.counters.requests(on: .refresh) == 0)
    #expect(try await authctl.run("token").status == 0)
  }

  @Test func `a file too large to be read is renamed where there are no links`() async throws {
    _ = try await authctl.login(url)
    let folder = authctl.home.url.appending(path: "profiles/default")
    let session = try #require(try authctl.sessionFiles().first)
    let foreign = Data(repeating: UInt8(ascii: "x"), count: 5 << 20)
    try foreign.write(to: session)
    try Data("correct horse\n".utf8).write(to: authctl.home.url.appending(path: "word"))
    let login = try await run(
      [
        "login", "--provider", "api", "--base-url", url.absoluteString, "--username", "ada", "--password-stdin",
        "<\"$AUTHCTL_HOME/word\"",
      ],
      replacing: Self.heading + """
        int linkat(int from, const char *old, int to, const char *new, int flags) { errno = EPERM; return -1; }
        """)
    #expect(login.status == 0, "\(login.err)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains(".foreign-") }
    #expect(try names.map { try Data(contentsOf: folder.appending(path: $0)) } == [foreign])
    #expect(try await authctl.run("token").status == 0)
  }

  @Test func `with however few descriptors left, a refresh is stored or not sent`() async throws {
    _ = try await authctl.login(url)
    var sent = 0
    for limit in 3...40 {
      try authctl.ageStoredSession(url)
      server.resetCounters()
      let starved = try await authctl.shell("ulimit -n \(limit); exec \"$0\" token")
      let requests = server.counters.requests(on: .refresh)
      sent += requests
      let token = try await authctl.run("token")
      #expect(token.status == 0, "\(limit): \(starved.status), \(token.err)")
      if starved.status == 0 { #expect(starved.out == token.out, "\(limit)") }
      #expect(server.counters.requests(on: .refresh) == 1, "\(limit): \(starved.err)")
    }
    #expect(sent > 0)
    #expect(server.counters.familiesRevoked == 0)
  }
}
#endif
