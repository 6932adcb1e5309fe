public import AuthenticationKit
public import Foundation

// What UIKit, OSLog, Alamofire and Foundation on Apple platforms have, for the examples that use them.
@MainActor open class UIViewController {
  public init() {}
}
extension Window {
  public var rootViewController: UIViewController? {
    get { given() }
    set {}
  }
}
public final class NotesViewController: UIViewController {
  public init(_ user: User) {}
}
public final class SignInViewController: UIViewController {
  public init(_ model: AuthenticationViewModel) {}
}

public struct Logger: Sendable {
  public func info(_ message: String) {}
  public func error(_ message: String) {}
}
public let logger: Logger = given()

public struct Session: Sendable {}
public struct Request: Sendable {
  public var retryCount: Int { given() }
  public var request: URLRequest? { given() }
  public var response: HTTPURLResponse? { given() }
}
public enum RetryResult: Sendable {
  case retry
  case doNotRetry
  case doNotRetryWithError(any Error)
}
public protocol RequestInterceptor: Sendable {
  func adapt(
    _ urlRequest: URLRequest, for session: Session,
    completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void)
  func retry(
    _ request: Request, for session: Session, dueTo error: any Error,
    completion: @escaping @Sendable (RetryResult) -> Void)
}
