import ArgumentParser
import AuthenticationKit
import Foundation

/// Where a client's secret is read from, once: a file, a pipe, or standard input.
struct ClientSecretFile {
  let path: String

  /// In bytes; more is no secret.
  private static let longest = 64 << 10

  var isStandardInput: Bool { ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].contains(path) }

  /// The first line. Warns of a file that others can read.
  func read(_ console: Console) throws -> Secret {
    guard let file = isStandardInput ? .standardInput : FileHandle(forReadingAtPath: path) else {
      throw ValidationError("--client-secret-file names no file that can be read.")
    }
    if isReadableByOthers(file) {
      console.say("The file with the client's secret can be read by others; 'chmod 600' keeps them out.")
    }
    var data = Data()
    while data.count < Self.longest, !data.contains(UInt8(ascii: "\n")) {
      guard let more = try? file.read(upToCount: Self.longest), !more.isEmpty else { break }
      data += more
    }
    guard data.count <= Self.longest, let text = String(data: data, encoding: .utf8),
      let line = text.split(whereSeparator: \.isNewline).first
    else { throw ValidationError("--client-secret-file has no secret in its first line.") }
    return Secret(String(line))
  }

  private func isReadableByOthers(_ file: FileHandle) -> Bool {
    var status = stat()
    guard unsafe fstat(file.fileDescriptor, &status) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFREG && status.st_mode & (S_IRGRP | S_IROTH) != 0
  }
}
