public import AuthenticationKit
public import Foundation

// Parts of UIKit, OSLog, swift-log, OpenTelemetry, Alamofire and Foundation on Apple platforms, for the examples that
// use them.
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

/// Those of OSLog and of swift-log.
public struct Logger: Sendable {
  public enum Level: Sendable { case info, error }
  public typealias Metadata = [String: MetadataValue]
  public struct MetadataValue: Sendable, ExpressibleByStringInterpolation {
    public init(stringLiteral value: String) {}
  }
  public struct Message: ExpressibleByStringInterpolation {
    public enum Privacy { case `public` }
    public struct StringInterpolation: StringInterpolationProtocol {
      public init(literalCapacity: Int, interpolationCount: Int) {}
      public mutating func appendLiteral(_ literal: String) {}
      public mutating func appendInterpolation(_ value: String, privacy: Privacy) {}
      public mutating func appendInterpolation(_ value: some CustomStringConvertible) {}
    }
    public init(stringLiteral value: String) {}
    public init(stringInterpolation: StringInterpolation) {}
  }
  public init(subsystem: String, category: String) {}
  public init(label: String) {}
  public func log(level: Level, _ message: Message, metadata: Metadata? = nil) {}
}

/// Of OpenTelemetry.
public final class Span {
  public enum Status { case error(description: String) }
  public var status: Status {
    get { given() }
    set {}
  }
  public func setAttribute(key: String, value: String) {}
  public func end(time: Date) {}
}
public final class SpanBuilder {
  public func setStartTime(time: Date) -> Self { self }
  public func startSpan() -> Span { given() }
}
public struct Tracer: Sendable {
  public func spanBuilder(spanName: String) -> SpanBuilder { given() }
}
public let tracer: Tracer = given()

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
