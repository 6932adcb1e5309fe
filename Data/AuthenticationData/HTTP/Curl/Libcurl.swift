#if os(Linux)
import CurlInterface

/// libcurl, looked up on first use: no header and no development package is needed.
@safe final class Libcurl: @unchecked Sendable {
  typealias Handle = UnsafeMutableRawPointer

  /// Nil if it is not installed, is older than 7.68 or has no TLS, or if the executable is static.
  static let shared = Libcurl(name: "libcurl.so.4")

  /// Never written after initialization; the owner of a handle makes sure that the right thread uses it.
  let functions: OpaquePointer
  /// Whether a callback reports each sending of a request (7.80).
  let tellsSendings: Bool
  /// Whether a certificate that names its host only in its subject can be refused.
  let canRestrict: Bool
  /// Whether connections can be kept from writing their keys to the file that `SSLKEYLOGFILE` names.
  let canKeepKeys: Bool
  /// Whether compressed bodies are decoded.
  let decodesBodies: Bool
  /// The file of root certificates (PEM) that libcurl trusts by default; nil if it does not report one (7.84).
  let rootsFile: String?

  init?(name: String) {
    guard let functions = unsafe curl_interface_load(name) else { return nil }
    unsafe self.functions = functions
    tellsSendings = unsafe curl_interface_version(functions) >= 0x07_50_00
    canRestrict = unsafe curl_interface_can_restrict(functions)
    canKeepKeys = unsafe curl_interface_can_keep_keys(functions)
    decodesBodies = unsafe curl_interface_features(functions) & Self.decompression != 0
    guard let easy = unsafe curl_interface_easy(functions) else { return nil }
    defer { unsafe curl_interface_free_easy(functions, easy) }
    rootsFile = unsafe curl_interface_text(functions, easy, curl_info_roots_file).map { unsafe String(cString: $0) }
  }

  // CURL_VERSION_LIBZ
  private static let decompression: CInt = 1 << 3
}
#endif
