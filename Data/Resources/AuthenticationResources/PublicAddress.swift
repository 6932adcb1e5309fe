import AuthenticationData
import AuthenticationDomain
import Foundation
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The address of a host on the network, and whether it is one that anyone can reach.
struct NetworkAddress: Sendable, Hashable {
  /// 4 or 16 bytes, in network order.
  let bytes: [UInt8]

  /// Nil unless the text is an IP address, with or without brackets.
  init?(literal text: String) {
    let text = text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
    var four = in_addr()
    var six = in6_addr()
    if unsafe inet_pton(AF_INET, text, &four) == 1 {
      bytes = unsafe withUnsafeBytes(of: &four) { unsafe Array($0) }
    } else if unsafe inet_pton(AF_INET6, text, &six) == 1 {
      bytes = unsafe withUnsafeBytes(of: &six) { unsafe Array($0) }
    } else {
      return nil
    }
  }

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// False for an address that is not public, one with a zone (RFC 6874), and a name of this machine (RFC 6761 §6.3).
  static func mayBePublic(host: String) -> Bool {
    let host = host.hasSuffix(".") ? String(host.dropLast()) : host
    if host.contains("%") || host == "localhost" || host.hasSuffix(".localhost") { return false }
    return NetworkAddress(literal: host)?.isPublic ?? true
  }

  var isLoopback: Bool {
    if let embedded { return embedded.isLoopback }
    return bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
  }

  /// Whether it is in none of the blocks of IANA's registries of special use (RFC 6890), nor is an IPv4 address that it
  /// stands for.
  var isPublic: Bool {
    if let embedded { return embedded.isPublic }
    if bytes.count == 4 { return !Self.special.contains { $0.holds(bytes) } }
    // Global unicast (RFC 4291 §2.4), without the blocks for special use.
    return bytes[0] & 0xE0 == 0x20 && !Self.specialOfSix.contains { $0.holds(bytes) }
  }

  /// The IPv4 address that an IPv6 address stands for: mapped, translated (RFC 6052) or of 6to4.
  private var embedded: NetworkAddress? {
    guard bytes.count == 16 else { return nil }
    if bytes[0] == 0x20, bytes[1] == 0x02 { return NetworkAddress(Array(bytes[2..<6])) }
    let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
    let isTranslated = bytes.starts(with: [0x00, 0x64, 0xFF, 0x9B] + [UInt8](repeating: 0, count: 8))
    return isMapped || isTranslated ? NetworkAddress(Array(bytes[12...])) : nil
  }

  private struct Block {
    let prefix: [UInt8]
    let bits: Int

    func holds(_ bytes: [UInt8]) -> Bool {
      for index in 0..<(bits + 7) / 8 {
        let mask = UInt8(truncatingIfNeeded: 0xFF00 >> min(8, bits - 8 * index))
        if bytes[index] & mask != prefix[index] & mask { return false }
      }
      return true
    }
  }

  private static let special: [Block] = [
    Block(prefix: [0], bits: 8), Block(prefix: [10], bits: 8), Block(prefix: [100, 64], bits: 10),
    Block(prefix: [127], bits: 8), Block(prefix: [169, 254], bits: 16), Block(prefix: [172, 16], bits: 12),
    Block(prefix: [192, 0, 0], bits: 24), Block(prefix: [192, 0, 2], bits: 24),
    Block(prefix: [192, 31, 196], bits: 24), Block(prefix: [192, 52, 193], bits: 24),
    Block(prefix: [192, 88, 99], bits: 24), Block(prefix: [192, 168], bits: 16),
    Block(prefix: [192, 175, 48], bits: 24), Block(prefix: [198, 18], bits: 15),
    Block(prefix: [198, 51, 100], bits: 24), Block(prefix: [203, 0, 113], bits: 24), Block(prefix: [224], bits: 3),
  ]
  private static let specialOfSix: [Block] = [
    Block(prefix: [0x20, 0x01, 0x00], bits: 23), Block(prefix: [0x20, 0x01, 0x0D, 0xB8], bits: 32),
    Block(prefix: [0x26, 0x20, 0x00, 0x4F, 0x80, 0x00], bits: 48), Block(prefix: [0x3F, 0xFF, 0x00], bits: 20),
  ]
}

/// Sends requests to public https addresses only, wherever a document of a server that is not trusted points to: by the
/// addresses to which the host's name resolves (server-side request forgery, RFC 9728 §7.7).
///
/// A host's name may resolve to another address right after the check. A server there has no certificate for the name, and
/// so gets no request.
struct PublicHTTPClient: HTTPClient {
  let upstream: any HTTPClient
  let rule: PublicAddressRule

  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    try await rule.check(request.url)
    return try await upstream.send(request)
  }
}

/// Which hosts may be asked.
struct PublicAddressRule: Sendable {
  /// Whether addresses of this machine are allowed: if the resource itself is on it.
  let allowsLoopback: Bool
  /// Returns the addresses of a host's name; none if it has no address here.
  var resolve: @Sendable (_ host: String) async -> [NetworkAddress] = NetworkAddress.addresses

  /// - Throws: ``AuthenticationError/insecureConnection`` unless the URL is https, or http to this machine where that is
  ///   allowed; ``AuthenticationError/security`` with the reason `address` if the host is on a private network.
  func check(_ url: URL) async throws(AuthenticationError) {
    guard let origin = Origin(url), origin.scheme == "https" || allowsLoopback && origin.isLoopback else {
      throw .insecureConnection
    }
    if origin.isLoopback, allowsLoopback { return }
    guard NetworkAddress.mayBePublic(host: origin.host) else { throw .notPublic }
    let addresses: [NetworkAddress]
    if let literal = NetworkAddress(literal: origin.host) {
      addresses = [literal]
    } else {
      addresses = try await AbandonableCall().run(within: .seconds(10)) { [resolve] _ in await resolve(origin.host) }
    }
    // A name without an address is left to the transport, which may have a proxy.
    guard addresses.allSatisfy({ $0.isPublic || allowsLoopback && $0.isLoopback }) else { throw .notPublic }
  }
}

extension NetworkAddress {
  /// The addresses of a host's name, as the system resolves it.
  @Sendable static func addresses(of host: String) async -> [NetworkAddress] {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: resolved(host)) }
    }
  }

  private static func resolved(_ host: String) -> [NetworkAddress] {
    var hints = unsafe addrinfo()
    #if canImport(Glibc)
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
    unsafe hints.ai_socktype = SOCK_STREAM
    #endif
    var first: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, nil, &hints, &first) == 0 else { return [] }
    defer { unsafe freeaddrinfo(first) }
    var found: [NetworkAddress] = []
    var next = unsafe first
    while let entry = unsafe next?.pointee {
      if unsafe entry.ai_family == AF_INET {
        unsafe entry.ai_addr.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          var address = unsafe $0.pointee.sin_addr
          found.append(NetworkAddress(unsafe withUnsafeBytes(of: &address) { unsafe Array($0) }))
        }
      } else if unsafe entry.ai_family == AF_INET6 {
        unsafe entry.ai_addr.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
          var address = unsafe $0.pointee.sin6_addr
          found.append(NetworkAddress(unsafe withUnsafeBytes(of: &address) { unsafe Array($0) }))
        }
      }
      unsafe next = entry.ai_next
    }
    return found
  }
}

extension AuthenticationError {
  fileprivate static let notPublic = refused(
    by: .address, "A server's document points to an address that is not public.")
}
