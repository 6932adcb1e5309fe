import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData
@testable import AuthenticationMovingIn

@Suite(.timeLimit(.minutes(10))) struct HostileArchiveTests {
  static func isRefused(_ archive: Data) -> Bool {
    isRefused { try AuthSession.appAuth(archive) } && isRefused { try AuthSession.auth0(archive) }
      && isRefused { try AuthSession.firebase(archive) }
  }

  private static func isRefused(_ read: () throws -> AuthSession) -> Bool {
    do {
      _ = try read()
      return false
    } catch {
      return error as? AuthenticationError == .storageCorrupt
    }
  }

  /// An archive of Auth0's, but for the changes of `change`.
  static func archive(_ entries: (inout PropertyListBytes) -> [(String, Int)]) -> Data {
    var bytes = PropertyListBytes()
    let nothing = bytes.text("$null")
    let token = bytes.text("access-1")
    let identity = bytes.text(Secret.unsignedJWT(["sub": "ada"]).reveal())
    let entries = entries(&bytes)
    let root = bytes.dictionary(entries)
    bytes.archive([nothing, root, token, identity])
    return bytes.data
  }

  @Test func `an archive that was written by hand is read`() throws {
    let archive = Self.archive { [("accessToken", $0.reference(2)), ("idToken", $0.reference(3))] }
    let session = try AuthSession.auth0(archive)
    #expect(session.user.id == "ada")
    #expect(session.accessToken.value == Secret("access-1"))
  }

  @Test func `a text outside ASCII is read`() throws {
    var bytes = PropertyListBytes()
    let nothing = bytes.text("$null")
    let id = bytes.add([0x62, 0x00, 0xC4, 0x20, 0xAC])
    let token = bytes.text("access-1")
    let service = bytes.dictionary([("accessToken", token)])
    let references = (bytes.reference(2), bytes.reference(3))
    let root = bytes.dictionary([("userID", references.0), ("tokenService", references.1)])
    bytes.archive([nothing, root, id, service])
    #expect(try AuthSession.firebase(bytes.data).user.id == "Ä€")
  }

  @Test func `an object that contains itself is refused`() {
    #expect(Self.isRefused(Self.archive { [("accessToken", $0.reference(1)), ("idToken", $0.reference(1))] }))
    #expect(
      Self.isRefused(
        Self.archive {
          [
            ("lastTokenResponse", $0.reference(1)), ("lastAuthorizationResponse", $0.reference(1)),
            ("tokenService", $0.reference(1)), ("userID", $0.reference(1)), ("refreshToken", $0.reference(1)),
          ]
        }))
    var bytes = PropertyListBytes()
    bytes.archive([0])
    #expect(Self.isRefused(bytes.data), "the root is missing")
  }

  @Test func `a reference to nowhere is refused`() {
    #expect(
      Self.isRefused(
        Self.archive {
          [("accessToken", $0.reference(200)), ("userID", $0.reference(200)), ("refreshToken", $0.reference(200))]
        }))
  }

  @Test func `an object of another kind is refused`() {
    for bytes in [[0x09], [0x13, 0, 0, 0, 0, 0, 0, 0, 1], [0x23, 0, 0, 0, 0, 0, 0, 0, 0], [0x41, 0x00]] as [[UInt8]] {
      #expect(
        Self.isRefused(
          Self.archive { writer in
            ["accessToken", "refreshToken", "userID"].map { ($0, writer.add(bytes)) }
          }))
    }
  }

  @Test func `sizes that lie are refused`() {
    let huge: [UInt8] = [0x5F, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
    let negative: [UInt8] = [0x5F, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
    let wide: [UInt8] = [0xAF, 0x12, 0xFF, 0xFF, 0xFF, 0xFF]
    let integers: [UInt8] = [0x1F, 0x00]
    for bytes in [huge, negative, wide, integers] {
      #expect(
        Self.isRefused(
          Self.archive { writer in
            ["accessToken", "refreshToken", "userID"].map { ($0, writer.add(bytes)) }
          }))
    }
    var bytes = PropertyListBytes()
    _ = bytes.text("a")
    for offsetSize in [0, 9, 255] {
      bytes.offsetSize = offsetSize
      #expect(Self.isRefused(bytes.data))
    }
    bytes.offsetSize = 4
    for count in [-1, Int.max, 1_000] {
      bytes.count = count
      #expect(Self.isRefused(bytes.data))
    }
    bytes.count = nil
    for top in [-1, 1, Int.max] {
      bytes.top = top
      #expect(Self.isRefused(bytes.data))
    }
  }

  @Test func `an archive that is longer than any session is refused`() {
    for size in [1 << 20, 10 << 20] {
      let archive = Self.archive { writer in
        writer.add(PropertyListBytes.head(0x40, size) + [UInt8](repeating: 0, count: size))
        return [("accessToken", writer.reference(2)), ("idToken", writer.reference(3))]
      }
      #expect(Self.isRefused(archive))
    }
  }

  @Test func `a key that is not asked for is not read, whatever it is`() throws {
    // A text in UTF-16 whose length lies.
    let archive = Self.archive(withKeys: 1) { $0.add([0x6F, 0x12, 0x00, 0xFF, 0xFF, 0xFF]) }
    #expect(try AuthSession.auth0(archive).accessToken.value == Secret("access-1"))
  }

  /// Reading each key would copy 60 gigabytes for each member that is asked for.
  @Test func `a megabyte whose keys are one long text is read`() throws {
    let archive = Self.archive(withKeys: 120_000) { $0.text(String(repeating: "k", count: 500_000)) }
    #expect((900_000...BinaryPropertyList.longest).contains(archive.count))
    #expect(try AuthSession.auth0(archive).user.id == "ada")
    #expect(Self.isRefused { try AuthSession.firebase(archive) })
  }

  /// An archive of Auth0's whose root has this many further keys, which are one object.
  private static func archive(withKeys count: Int, _ key: (inout PropertyListBytes) -> Int) -> Data {
    var bytes = PropertyListBytes()
    let nothing = bytes.text("$null")
    let token = bytes.text("access-1")
    let identity = bytes.text(Secret.unsignedJWT(["sub": "ada"]).reveal())
    let key = key(&bytes)
    let members = [("accessToken", bytes.reference(2)), ("idToken", bytes.reference(3))]
    let root = bytes.dictionary(members, after: Array(repeating: key, count: count))
    bytes.archive([nothing, root, token, identity])
    return bytes.data
  }

  @Test func `no archive that is cut or has a wrong byte does harm`() throws {
    let archive = Self.archive { [("accessToken", $0.reference(2)), ("idToken", $0.reference(3))] }
    for length in 0..<archive.count { #expect(Self.isRefused(archive.prefix(length))) }
    for index in archive.indices {
      for bit in [0x01, 0x10, 0x80, 0xFF] as [UInt8] {
        var damaged = archive
        damaged[index] ^= bit
        _ = try? AuthSession.auth0(damaged)
        _ = try? AuthSession.appAuth(damaged)
        _ = try? AuthSession.firebase(damaged)
      }
    }
    #expect(Self.isRefused(Data()))
    #expect(Self.isRefused(Data("<?xml version=\"1.0\"?><plist/>".utf8)))
  }
}
