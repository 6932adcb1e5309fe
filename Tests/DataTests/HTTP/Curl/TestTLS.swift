#if os(Linux)
import Foundation

/// The server's side of TLS, by the OpenSSL that libcurl brings: the client under test must not share code with it.
@safe struct TestTLS: @unchecked Sendable {
  typealias Handle = UnsafeMutableRawPointer

  /// A context is only read after it was made.
  private let context: Handle
  private let functions: Functions

  /// - Parameter offersHTTP2: whether `h2` is chosen where the client offers it (RFC 7301).
  init(_ certificate: TestCertificate, offersHTTP2: Bool = false) throws {
    functions = try Functions()
    guard let context = unsafe functions.newContext(functions.method()) else { throw CocoaError(.featureUnsupported) }
    unsafe self.context = context
    guard unsafe functions.useCertificate(context, certificate.certificate.path) == 1,
      unsafe functions.useKey(context, certificate.key.path, 1) == 1
    else { throw CocoaError(.fileReadCorruptFile) }
    if offersHTTP2 { unsafe functions.onProtocols(context, Self.choosesHTTP2, nil) }
  }

  /// Nil where the client ends the handshake.
  func accept(_ descriptor: Int32) -> Session? {
    guard let session = unsafe functions.newSession(context) else { return nil }
    unsafe _ = functions.setDescriptor(session, descriptor)
    guard unsafe functions.accept(session) == 1 else {
      unsafe functions.free(session)
      return nil
    }
    return unsafe Session(session, functions)
  }

  @safe final class Session {
    private let session: Handle
    private let functions: Functions

    fileprivate init(_ session: Handle, _ functions: Functions) {
      unsafe self.session = session
      self.functions = functions
    }

    deinit { unsafe functions.free(session) }

    func receive() -> [UInt8]? {
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = unsafe bytes.withUnsafeMutableBytes {
        unsafe functions.read(session, $0.baseAddress, Int32($0.count))
      }
      return count > 0 ? Array(bytes.prefix(Int(count))) : nil
    }

    func send(_ bytes: [UInt8]) -> Bool {
      if bytes.isEmpty { return true }
      return unsafe bytes.withUnsafeBytes { unsafe functions.write(session, $0.baseAddress, Int32($0.count)) } > 0
    }

    /// Sends `close_notify`: nothing was cut off (RFC 8446 §6.1).
    func sayGoodbye() { unsafe _ = functions.shutDown(session) }
  }

  fileprivate typealias OnProtocols =
    @convention(c) (
      Handle?, UnsafeMutablePointer<UnsafePointer<UInt8>?>, UnsafeMutablePointer<UInt8>, UnsafePointer<UInt8>?, UInt32,
      Handle?
    ) -> Int32

  /// SSL_TLSEXT_ERR_OK is 0, and SSL_TLSEXT_ERR_NOACK 3.
  private static let choosesHTTP2: OnProtocols = { _, chosen, length, offered, count, _ in
    guard let offered = unsafe offered else { return 3 }
    let bytes = unsafe Array(UnsafeBufferPointer(start: offered, count: Int(count)))
    guard let start = bytes.firstRange(of: [2, 0x68, 0x32])?.lowerBound else { return 3 }
    unsafe chosen.pointee = offered + start + 1
    unsafe length.pointee = 2
    return 0
  }

  @safe fileprivate struct Functions: @unchecked Sendable {
    let method: @convention(c) () -> Handle?
    let newContext: @convention(c) (Handle?) -> Handle?
    let useCertificate: @convention(c) (Handle, UnsafePointer<CChar>) -> Int32
    let useKey: @convention(c) (Handle, UnsafePointer<CChar>, Int32) -> Int32
    let onProtocols: @convention(c) (Handle, OnProtocols, Handle?) -> Void
    let newSession: @convention(c) (Handle) -> Handle?
    let setDescriptor: @convention(c) (Handle, Int32) -> Int32
    let accept: @convention(c) (Handle) -> Int32
    let read: @convention(c) (Handle, Handle?, Int32) -> Int32
    let write: @convention(c) (Handle, UnsafeRawPointer?, Int32) -> Int32
    let shutDown: @convention(c) (Handle) -> Int32
    let free: @convention(c) (Handle) -> Void

    init() throws {
      let library = unsafe dlopen("libssl.so.3", RTLD_NOW)
      func function<Function>(_ name: String) throws -> Function {
        guard let address = unsafe dlsym(library, name) else { throw CocoaError(.featureUnsupported) }
        return unsafe unsafeBitCast(address, to: Function.self)
      }
      unsafe method = try function("TLS_server_method")
      unsafe newContext = try function("SSL_CTX_new")
      unsafe useCertificate = try function("SSL_CTX_use_certificate_chain_file")
      unsafe useKey = try function("SSL_CTX_use_PrivateKey_file")
      unsafe onProtocols = try function("SSL_CTX_set_alpn_select_cb")
      unsafe newSession = try function("SSL_new")
      unsafe setDescriptor = try function("SSL_set_fd")
      unsafe accept = try function("SSL_accept")
      unsafe read = try function("SSL_read")
      unsafe write = try function("SSL_write")
      unsafe shutDown = try function("SSL_shutdown")
      unsafe free = try function("SSL_free")
    }
  }
}
#endif
