// As the framework does, whose NSObject is not Foundation's own.
@_exported import Foundation

public typealias ASPresentationAnchor = NSObject

public struct ASWebAuthenticationSessionError: Error {
  public enum Code: Int, Sendable {
    case canceledLogin = 1
    case presentationContextNotProvided = 2
    case presentationContextInvalid = 3
  }

  public let code: Code
  public var errorCode: Int { code.rawValue }
}

@MainActor
public protocol ASWebAuthenticationPresentationContextProviding: NSObjectProtocol {
  func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
}

public class ASWebAuthenticationSession: NSObject {
  public typealias CompletionHandler = (URL?, (any Error)?) -> Void

  public class Callback: NSObject {
    public class func customScheme(_ scheme: String) -> Callback { Callback() }
    public class func https(host: String, path: String) -> Callback { Callback() }
  }

  public init(url: URL, callback: Callback, completionHandler: @escaping CompletionHandler) {}

  public weak var presentationContextProvider: (any ASWebAuthenticationPresentationContextProviding)?
  public var prefersEphemeralWebBrowserSession = false
  public func start() -> Bool { false }
  public func cancel() {}
}
