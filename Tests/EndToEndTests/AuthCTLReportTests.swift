import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

/// Why the last session ended, as `authctl report` prints it in a separate process, and `authctl replay` shows it.
@Suite(.serialized) struct AuthCTLReportTests {
  let authctl: AuthCTL
  let issuer: LoopbackOpenIDIssuer

  init() async throws {
    authctl = try AuthCTL()
    issuer = LoopbackOpenIDIssuer()
    try await issuer.start()
  }

  /// Its output, which is one line on stdout.
  private func report() async throws -> String {
    let report = try await authctl.run("report")
    #expect(report.status == 0 && report.err.isEmpty, "\(report.err)")
    #expect(report.out.split(separator: "\n").count == 1)
    return report.out
  }

  private func file(_ text: String) throws -> String {
    let url = authctl.home.url.appending(path: "report-\(UUID().uuidString)")
    try Data(text.utf8).write(to: url)
    return url.path
  }

  @Test func `without a session, and while it goes on, none has ended`() async throws {
    #expect(try await report() == "No session has ended.\n")
    _ = try await authctl.login(issuer)
    #expect(try await report() == "No session has ended.\n")
    #expect(try await authctl.run("token", "--min-ttl", "100000").status == 0)
    #expect(try await report() == "No session has ended.\n")
    #expect(try await authctl.run("report", "--json", "--profile", "none").status == 0)
  }

  @Test func `a refusal of the provider is told with its code, until another session ends`() async throws {
    _ = try await authctl.login(issuer)
    issuer.revokeAllSignIns()
    #expect(try await authctl.run("token", "--min-ttl", "100000").status == 3)
    #expect(try await report().contains("the provider refused the refresh token (session_rejected, invalid_grant)"))
    _ = try await authctl.login(issuer)
    #expect(try await report().contains("invalid_grant"))
    #expect(try await authctl.run("logout").status == 0)
    #expect(try await report().contains("the user or the app signed out"))
  }

  @Test func `an outage is told while it lasts`() async throws {
    _ = try await authctl.login(issuer)
    issuer.set(.usual(.status(503)), onGrant: "refresh_token")
    #expect(try await authctl.run("token", "--min-ttl", "100000").status == 5)
    #expect(try await report().hasPrefix("No session has ended, but at 20"))
    issuer.set(nil, onGrant: "refresh_token")
    #expect(try await authctl.run("token", "--min-ttl", "100000").status == 0)
    #expect(try await report() == "No session has ended.\n")
  }

  @Test func `a session whose file is gone was erased`() async throws {
    _ = try await authctl.login(issuer)
    try authctl.store(issuer).delete()
    #expect(try await report().contains("the stored session was erased"))
  }

  @Test func `the events of all commands are replayed as they were, without a secret`() async throws {
    _ = try await authctl.login(issuer)
    let tokens = try #require(try authctl.store(issuer).read()?.session?.tokens)
    #expect(try await authctl.run("token", "--min-ttl", "100000").status == 0)
    #expect(try await authctl.run("logout").status == 0)
    let report = try await authctl.run("report", "--json")
    #expect(report.status == 0)
    let header = try #require(try report.events().first)
    #expect(header["cause"] == "requested" && header["report"] == "1")
    let replay = try await authctl.run("replay", try file(report.out))
    #expect(replay.status == 0 && replay.err.isEmpty)
    for word in [
      "signInCompleted -> save, publish, resume all -> signed_in fresh", "refreshCompleted", "signed_out requested",
    ] { #expect(replay.out.contains(word), "\(replay.out)") }
    #expect(!replay.out.contains("not replayed") && !replay.out.contains("differs"))
    for secret in [tokens.access.value.reveal(), tokens.refresh?.reveal() ?? "", "\"ada\"", issuer.identifier] {
      #expect(!report.out.contains(secret) && !replay.out.contains(secret))
    }
  }

  @Test func `garbage, a part of a report, and no file at all are wrong calls, which change nothing`() async throws {
    _ = try await authctl.login(issuer)
    let before = try authctl.store(issuer).read()
    let report = try await authctl.run("report", "--json").out
    let lines = report.split(separator: "\n").map(String.init)
    let files = [
      try file("no report"), try file(""), try file(String(report.dropLast(9))),
      try file(lines.dropLast().joined(separator: "\n") + "\n"), try file(report.replacing("\"event\"", with: "\"x\"")),
      authctl.home.url.path, authctl.home.url.appending(path: "nothing").path,
    ]
    for file in files {
      let replay = try await authctl.run("replay", file)
      #expect(replay.status == 64 && replay.out.isEmpty, "\(file): \(replay.out)")
      #expect(replay.err.split(separator: "\n").count == 1)
    }
    #expect(try authctl.store(issuer).read() == before)
  }

  @Test func `a report that was sent in moves no cursor and begins no line of its own`() async throws {
    _ = try await authctl.login(issuer)
    issuer.revokeAllSignIns()
    #expect(try await authctl.run("token", "--min-ttl", "100000").status == 3)
    let report = try await authctl.run("report", "--json").out
    let texts = ["\"signed_in fresh\"", "\"save\"", "\"invalid_grant\"", "\"signed_out rejected\""]
    for text in texts {
      #expect(report.contains(text))
      let escape = #"\u001b]52;c;bWFsd2FyZQ==\u0007\u009b2J\nforged\r\u202e\u2028"#
      let hostile = report.replacing(text, with: "\(text.dropLast())\(escape)\"")
      let replay = try await authctl.run("replay", try file(hostile))
      #expect(replay.status == 0, "\(replay.err)")
      for stream in [replay.out, replay.err] {
        #expect(stream.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
        #expect(!stream.contains("\u{202E}") && !stream.contains("\u{2028}"))
        #expect(!stream.split(separator: "\n").contains { $0.hasPrefix("forged") })
      }
    }
  }

  @Test func `a report that was changed shows where it differs`() async throws {
    _ = try await authctl.login(issuer)
    let report = try await authctl.run("report", "--json").out
    let replay = try await authctl.run(
      "replay", try file(report.replacing("signed_in fresh", with: "signed_out rejected")))
    #expect(replay.status == 0 && replay.out.contains("differs: the state is signed_in fresh"))
    #expect(replay.err.contains("not as they were recorded"))
  }
}
