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
    rootsFile = unsafe curl_interface_text(functions, easy, CurlOption.rootsFileInfo).map { unsafe String(cString: $0) }
  }

  // CURL_VERSION_LIBZ
  private static let decompression: CInt = 1 << 3
}

/// Constants of `<curl/curl.h>`, which never change.
enum CurlOption {
  // Numbers
  static let lowSpeedLimit: CInt = 19
  static let lowSpeedTime: CInt = 20
  static let tlsVersion: CInt = 32
  static let noBody: CInt = 44
  static let post: CInt = 47
  static let netrc: CInt = 51
  static let followLocation: CInt = 52
  static let verifyPeer: CInt = 64
  static let freshConnect: CInt = 74
  static let verifyHost: CInt = 81
  static let httpVersion: CInt = 84
  static let noSignal: CInt = 99
  static let timeout: CInt = 155
  static let connectTimeout: CInt = 156
  static let protocols: CInt = 181
  static let pathAsIs: CInt = 234
  static let suppressConnectHeaders: CInt = 265
  static let disallowUserName: CInt = 278
  static let allowHTTP09: CInt = 285
  static let rootsLifetime: CInt = 321
  static let quickExit: CInt = 322
  static let bodySize: CInt = 30_120

  // Texts and pointers
  static let writeData: CInt = 10_001
  static let url: CInt = 10_002
  static let proxy: CInt = 10_004
  static let errorText: CInt = 10_010
  static let headerList: CInt = 10_023
  static let headerData: CInt = 10_029
  static let method: CInt = 10_036
  static let rootsFile: CInt = 10_065
  static let rootsFolder: CInt = 10_097
  static let acceptEncoding: CInt = 10_102
  static let owner: CInt = 10_103
  static let tlsData: CInt = 10_109
  static let body: CInt = 10_165
  static let noProxy: CInt = 10_177
  static let pinnedKeys: CInt = 10_230
  static let sendingData: CInt = 10_313

  // Functions and blobs
  static let onBody: CInt = 20_011
  static let onHeader: CInt = 20_079
  static let onTLS: CInt = 20_108
  static let onSending: CInt = 20_312
  static let roots: CInt = 40_309

  // Information
  static let ownerInfo: CInt = 0x10_0015
  static let rootsFileInfo: CInt = 0x10_003D
}
#endif
