#if os(Linux)
import AuthenticationDomain
import CurlInterface
import Foundation

/// One running call: the bytes that have been sent and received. Used only by the loop's thread.
@safe final class CurlTransfer {
  let call: CurlCall
  let handle: CurlHandle
  private var head = ResponseHead()
  private var body = Data()
  /// Why reading was stopped.
  private var refusal: AuthenticationError?
  private var sendings = 0
  private var headerList: UnsafeMutableRawPointer?
  /// `CURL_ERROR_SIZE` bytes.
  private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: 256)

  init(_ call: CurlCall, _ handle: CurlHandle) {
    self.call = call
    self.handle = handle
    unsafe errorText.initialize(to: 0)
  }

  deinit {
    unsafe curl_interface_free_list(handle.library.functions, headerList)
    unsafe errorText.deallocate()
  }

  /// Whether anything of the request may have reached the server.
  var isSent: Bool { sendings > 0 || !handle.library.tellsSendings }

  private var library: Libcurl { handle.library }

  /// Gives the handle its options; false if there is no memory for them.
  func prepare() -> Bool {
    for option in Self.options { handle.set(option.number, option.value) }
    let own = unsafe Unmanaged.passUnretained(self).toOpaque()
    for option in [curl_option_owner, curl_option_write_data, curl_option_header_data, curl_option_sending_data] {
      unsafe handle.set(option, own)
    }
    unsafe curl_interface_set_on_bytes(library.functions, handle.pointer, curl_option_on_header, Self.onHeader)
    unsafe curl_interface_set_on_bytes(library.functions, handle.pointer, curl_option_on_body, Self.onBody)
    unsafe curl_interface_set_on_sending(library.functions, handle.pointer, curl_option_on_sending, Self.onSending)
    unsafe handle.set(curl_option_error_text, UnsafeMutableRawPointer(errorText))
    handle.set(curl_option_connect_timeout, call.limits.connecting.milliseconds)
    handle.set(curl_option_low_speed_time, call.limits.silence.wholeSeconds)
    if !call.usesOwnTimer { handle.set(curl_option_timeout, call.limits.deadline.milliseconds) }
    // If libcurl does not report each sending, a request that must not be repeated cannot be stopped on a reused
    // connection.
    let isFresh = !call.request.isIdempotent || (!call.isRepeatable && !library.tellsSendings)
    handle.set(curl_option_fresh_connect, isFresh ? 1 : 0)
    return unsafe prepareRoute(own) && prepareRequest()
  }

  // CURL_SSLVERSION_TLSv1_2; CURLPROTO_HTTP and CURLPROTO_HTTPS; CURL_HTTP_VERSION_2TLS
  private static let options: [(number: curl_interface_option, value: Int)] = [
    (curl_option_no_signal, 1), (curl_option_netrc, 0), (curl_option_protocols, 1 | 2),
    (curl_option_follow_location, 0), (curl_option_path_as_is, 1), (curl_option_disallow_user_name, 1),
    (curl_option_tls_version, 6), (curl_option_verify_peer, 1), (curl_option_verify_host, 2),
    (curl_option_http_version, 4), (curl_option_allow_http09, 0), (curl_option_suppress_connect_headers, 1),
    (curl_option_low_speed_limit, 1), (curl_option_quick_exit, 1), (curl_option_roots_lifetime, 3_600),
  ]

  private func prepareRoute(_ own: UnsafeMutableRawPointer) -> Bool {
    let route = call.route
    // Both are always set: otherwise libcurl reads the environment, which other threads may be changing.
    var isSet = handle.set(curl_option_proxy, call.origin.isLoopback ? "" : route.environment.proxy)
    isSet = handle.set(curl_option_no_proxy, route.environment.exceptions) && isSet
    guard call.origin.scheme == "https" else { return isSet }
    // If a folder is set besides the file, libcurl reads all roots again for each connection, which takes 17 ms.
    if library.rootsFile != nil { handle.set(curl_option_roots_folder, nil as String?) }
    if let roots = route.roots { isSet = handle.set(curl_option_roots, copying: roots) && isSet }
    if let pins = route.pins { isSet = handle.set(curl_option_pinned_keys, pins) && isSet }
    if library.canRestrict || library.canKeepKeys {
      unsafe curl_interface_set_on_tls(library.functions, handle.pointer, curl_option_on_tls, Self.onTLS)
      isSet = unsafe handle.set(curl_option_tls_data, own) && isSet
    }
    return isSet
  }

  private func prepareRequest() -> Bool {
    let request = call.request
    var isSet = handle.set(curl_option_url, request.url.absoluteString)
    if library.decodesBodies { isSet = handle.set(curl_option_accept_encoding, "gzip, deflate") && isSet }
    if request.method == .head {
      isSet = handle.set(curl_option_no_body, 1) && isSet
    } else {
      // These methods send the length of an empty body, too (RFC 9110 §8.6).
      if let body = request.body ?? ([.post, .put, .patch].contains(request.method) ? Data() : nil) {
        isSet = handle.set(curl_option_post, 1) && handle.setBody(body) && isSet
      }
      isSet = handle.set(curl_option_method, request.method.rawValue) && isSet
    }
    for field in request.headers.joined.fields where !field.name.equalsIgnoringCase("Content-Length") {
      isSet = append(field.name, field.value.reveal()) && isSet
    }
    // A name without a value keeps libcurl from adding the field by itself.
    isSet = append("Expect:") && isSet
    if request.headers["Content-Type"] == nil { isSet = append("Content-Type:") && isSet }
    return unsafe handle.set(curl_option_header_list, headerList) && isSet
  }

  /// libcurl expects a field without a value to end with a semicolon; otherwise it removes the field.
  private func append(_ name: String, _ value: String) -> Bool {
    append(value.utf8.allSatisfy(\.isBlank) ? "\(name);" : "\(name): \(value)")
  }

  private func append(_ line: String) -> Bool {
    guard let longer = unsafe curl_interface_append(library.functions, headerList, line) else { return false }
    unsafe headerList = longer
    return true
  }

  // MARK: Values that libcurl reports

  private static func from(_ data: UnsafeMutableRawPointer?) -> CurlTransfer {
    unsafe Unmanaged<CurlTransfer>.fromOpaque(data!).takeUnretainedValue()
  }

  /// Any value other than the number of bytes makes libcurl stop.
  private static let giveUp = 0

  private static let onHeader: curl_interface_on_bytes = { bytes, size, count, data in
    let line = unsafe String(decoding: UnsafeRawBufferPointer(start: bytes, count: size * count), as: UTF8.self)
    return unsafe from(data).read(line) ? size * count : giveUp
  }

  private static let onBody: curl_interface_on_bytes = { bytes, size, count, data in
    let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    return unsafe from(data).read(piece) ? size * count : giveUp
  }

  /// CURL_PREREQFUNC_OK is 0.
  private static let onSending: curl_interface_on_sending = { data, _, _, _, _ in
    let transfer = unsafe from(data)
    // A repeat that fails is not repeated (RFC 9110 §9.2.2): libcurl would try each connection that it has kept.
    if transfer.sendings > (transfer.call.isRepeatable ? 1 : 0) { return 1 }
    transfer.sendings += 1
    transfer.handle.set(curl_option_fresh_connect, 1)
    return 0
  }

  /// Called for each TLS connection before its handshake. CURLE_SSL_CERTPROBLEM is 58.
  private static let onTLS: curl_interface_on_tls = { _, context, data in
    let transfer = unsafe from(data)
    guard let context = unsafe context else { return 58 }
    unsafe curl_interface_keep_keys(transfer.library.functions, context)
    // With a TLS proxy, the proxy's name would be compared with the server's.
    guard transfer.library.canRestrict, !transfer.call.route.environment.proxiesByTLS else { return 0 }
    let host = transfer.call.origin.host.filter { $0 != "[" && $0 != "]" }
    let isAddress = host.contains(":") || host.allSatisfy { $0 == "." || $0.isNumber }
    return unsafe curl_interface_restrict(transfer.library.functions, context, host, isAddress) ? 0 : 58
  }

  private func read(_ line: String) -> Bool {
    do {
      try head.read(line)
    } catch {
      refusal = error == .tooLarge ? .headTooLarge(call.origin) : .connectionLost(call.origin)
      return false
    }
    if head.isComplete, call.request.method != .head, head.status != 204, head.status != 304,
      let length = head.length, length > call.limits.maximumBodySize
    {
      refusal = .responseTooLarge(call.limits.maximumBodySize)
      return false
    }
    return true
  }

  private func read(_ piece: UnsafeRawBufferPointer) -> Bool {
    guard piece.count <= call.limits.maximumBodySize - body.count else {
      refusal = .responseTooLarge(call.limits.maximumBodySize)
      return false
    }
    unsafe body.append(contentsOf: piece)
    return true
  }

  // MARK: How it ended

  /// The response, or the error that a `CURLcode` means for a caller.
  func outcome(_ code: CInt) -> CurlCall.Outcome {
    if let refusal { return .failure(refusal) }
    // libcurl does not report an error if a connection ends inside the head.
    if code == 0, head.isComplete {
      return .success(HTTPResponse(status: head.status, headers: head.headers, body: body))
    }
    let proxyStatus = unsafe curl_interface_number(library.functions, handle.pointer, curl_info_connect_status)
    if sendings == 0, proxyStatus >= 300 { return .failure(.proxyRefused(Int(proxyStatus), call.origin)) }
    return unsafe .failure(
      .transport(code, String(cString: errorText), to: call, isSent: isSent).with(\.isOfRepeat, sendings > 1))
  }
}

extension AuthenticationError {
  /// A response of the proxy to CONNECT, which the server has not seen (RFC 9110 §9.3.6).
  fileprivate static func proxyRefused(_ status: Int, _ origin: Origin) -> Self {
    Self(
      .unreachable, "The proxy refused the connection to \(origin) with status \(status); the request was not sent.",
      suggestion: status == 407
        ? "The proxy asks for a user name and a password: give them in the variable https_proxy."
        : "Check the variables https_proxy and no_proxy, and what the proxy allows.",
      cause: Cause(domain: proxyDomain, code: status))
  }

  fileprivate static func transport(_ code: CInt, _ errorText: String, to call: CurlCall, isSent: Bool) -> Self {
    let origin = call.origin
    let cause = Cause(domain: "libcurl", code: Int(code))
    switch code {
    case 3: return .unreadable(origin, cause)
    case 28 where isSent: return .timedOut(origin, cause)
    // A connection that ends during the handshake is also reported as CURLE_SSL_CONNECT_ERROR.
    case 35 where errorText.contains("SYSCALL") || errorText.contains("unexpected eof") || errorText.contains("reset"):
      return .unreachable(origin, cause)
    case 35, 51, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91, 98: return .untrusted(origin, cause)
    case 63: return .responseTooLarge(call.limits.maximumBodySize)
    // CURLE_COULDNT_RESOLVE_PROXY, _HOST, CURLE_COULDNT_CONNECT
    case 5, 6, 7: return .unreachable(origin, cause)
    default: return isSent ? .connectionLost(origin, cause) : .unreachable(origin, cause)
    }
  }
}

/// An easy handle of libcurl. Setting an option says whether this libcurl knows it.
@safe final class CurlHandle {
  let pointer: Libcurl.Handle
  let library: Libcurl

  /// Nil where there is no memory for it.
  init?(_ library: Libcurl) {
    guard let pointer = unsafe curl_interface_easy(library.functions) else { return nil }
    unsafe self.pointer = pointer
    self.library = library
  }

  deinit { unsafe curl_interface_free_easy(library.functions, pointer) }

  @discardableResult
  func set(_ option: curl_interface_option, _ value: Int) -> Bool {
    unsafe curl_interface_set_number(library.functions, pointer, option, value) == 0
  }

  @discardableResult
  func set(_ option: curl_interface_option, _ value: String?) -> Bool {
    unsafe curl_interface_set_text(library.functions, pointer, option, value) == 0
  }

  /// libcurl does not copy the memory behind the pointer.
  @discardableResult
  func set(_ option: curl_interface_option, _ value: UnsafeMutableRawPointer?) -> Bool {
    unsafe curl_interface_set_pointer(library.functions, pointer, option, value) == 0
  }

  @discardableResult
  func set(_ option: curl_interface_option, copying value: Data) -> Bool {
    unsafe value.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      return unsafe curl_interface_set_copy(library.functions, pointer, option, start, bytes.count) == 0
    }
  }

  /// Copies the bytes of a request's body.
  func setBody(_ body: Data) -> Bool {
    let size = Int64(body.count)
    guard unsafe curl_interface_set_size(library.functions, pointer, curl_option_body_size, size) == 0 else {
      return false
    }
    if body.isEmpty { return set(curl_option_body, "") }
    return unsafe body.withUnsafeBytes { bytes in
      unsafe set(curl_option_body, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }
  }
}

/// How a client connects: the proxy it uses, and the servers it trusts.
struct CurlRoute: Sendable {
  let library: Libcurl
  let environment: NetworkEnvironment
  /// Every root certificate, the system's included, as PEM; nil for the system's alone.
  let roots: Data?
  /// In curl's syntax: `sha256//…;sha256//…`.
  let pins: String?

  /// Whether other clients may use its connections too. libcurl keeps connections with different trust apart only since
  /// 7.83.1.
  var isShared: Bool { roots == nil && pins == nil }

  /// - Throws: ``AuthenticationError/invalidConfiguration`` without a libcurl, and if it does not support the trust.
  init(trust: ServerTrust, environment: NetworkEnvironment, _ library: Libcurl?) throws(AuthenticationError) {
    guard let library else { throw .libcurlMissing }
    self.library = library
    self.environment = environment
    pins = trust.pins.map { $0.sorted().map { "sha256//\($0)" }.joined(separator: ";") }
    roots = try trust.roots.map { roots throws(AuthenticationError) in
      guard let file = library.rootsFile, let system = FileManager.default.contents(atPath: file) else {
        throw .noRoots
      }
      return system + Data("\n".utf8) + roots
    }
    if isShared { return }
    guard let easy = CurlHandle(library) else { throw .outOfResources() }
    if let pins, !easy.set(curl_option_pinned_keys, pins) { throw .noRoots }
    if let roots, !easy.set(curl_option_roots, copying: roots) { throw .noRoots }
  }
}

extension AuthenticationError {
  fileprivate static let libcurlMissing = Self(
    .invalidConfiguration, "There is no libcurl 7.68 or later with TLS here, which sends all requests on Linux.",
    suggestion: "Install it (Debian: libcurl4, Fedora: libcurl), and link the executable dynamically.")

  fileprivate static let noRoots = Self(
    .invalidConfiguration, "This machine's libcurl takes no roots or pins besides the system's.",
    suggestion: "Install libcurl 7.84 or later with OpenSSL, or add the roots to the system's.")
}

/// The head of a response, read line by line (RFC 9112 §2.1, §4, §5), or of an HTTP/2 response written as one.
///
/// Informational responses and trailer fields are skipped. Head and trailers together may have 64 KiB and 200 fields.
struct ResponseHead {
  enum Fault: Error {
    case tooLarge
    case malformed
  }

  static let maximumSize = 65_536
  static let maximumCount = 200

  private(set) var status = 0
  private(set) var headers: HTTPHeaders = [:]
  /// Whether the empty line that ends the head of a final response has been read.
  private(set) var isComplete = false
  /// The value of `Content-Length`, in bytes; a value above `Int.max` is read as `Int.max`.
  private(set) var length: Int?
  private var size = 0
  private var count = 0

  /// Reads one line, including its line ending.
  mutating func read(_ line: String) throws(Fault) {
    size += line.utf8.count
    count += 1
    guard size <= Self.maximumSize, count <= Self.maximumCount else { throw .tooLarge }
    guard line.utf8.last == UInt8(ascii: "\n") else { throw .malformed }
    if isComplete { return }
    var content = line.utf8.dropLast()
    if content.last == UInt8(ascii: "\r") { content.removeLast() }
    guard !content.contains(where: { $0 == 0 || $0 == UInt8(ascii: "\r") }) else { throw .malformed }
    if content.isEmpty { return try end() }
    let text = Substring(content)
    if status == 0 { return try readStatus(text) }
    readField(text)
  }

  /// `HTTP/1.1 200 OK`; the reason phrase may be missing.
  private mutating func readStatus(_ line: Substring) throws(Fault) {
    let parts = line.split(separator: " ", maxSplits: 2)
    guard parts.count > 1, parts[0].hasPrefix("HTTP/"), parts[1].utf8.count == 3, let code = Int(parts[1]),
      (100...999).contains(code)
    else { throw .malformed }
    status = code
  }

  /// Skips a line without a valid name; one that begins with white space continues the field before it (RFC 9112 §5.2).
  private mutating func readField(_ line: Substring) {
    if line.utf8.first?.isBlank == true {
      headers.continueLast(with: line.trimmed)
    } else if let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")), line[..<colon].isToken {
      headers.append(String(line[..<colon]), String(line[line.utf8.index(after: colon)...].trimmed))
    }
  }

  private mutating func end() throws(Fault) {
    guard status != 0 else { throw .malformed }
    if status < 200 {
      (status, headers) = (0, [:])
      return
    }
    length = try framedLength()
    isComplete = true
  }

  /// Throws if contradicting lengths, or a transfer coding, make it unclear where a body ends (RFC 9112 §6.3).
  private func framedLength() throws(Fault) -> Int? {
    let lengths = Set(headers.values(of: "Content-Length").flatMap { $0.split(separator: ",").map(\.trimmed) })
    guard let length = lengths.first else {
      if headers["Content-Length"] != nil { throw .malformed }
      return nil
    }
    guard lengths.count == 1, headers["Transfer-Encoding"] == nil, !length.isEmpty, length.utf8.allSatisfy(\.isDigit)
    else { throw .malformed }
    return Int(length) ?? .max
  }
}

extension Substring {
  /// Without the spaces and tabs around it (RFC 9110 §5.6.3).
  fileprivate var trimmed: Substring {
    let head = utf8.drop(while: \.isBlank)
    let last = head.lastIndex { !$0.isBlank }
    return self[head.startIndex..<(last.map { head.index(after: $0) } ?? head.startIndex)]
  }
}
#endif
