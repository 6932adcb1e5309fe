import AuthenticationData
public import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How a client authenticates at the token endpoint (RFC 6749 §2.3).
public struct ClientAuthentication: Sendable, Hashable {
  enum Method: Sendable, Hashable {
    case none
    case basic(Secret)
    case post(Secret)
    case published(Secret)
  }

  let method: Method

  /// A public client, whose id is sent in the body (RFC 6749 §3.2.1).
  public static let none = Self(method: .none)
  /// With this secret, in the way that the issuer's metadata lists (`token_endpoint_auth_methods_supported`):
  /// `client_secret_basic` if it lists that or has no list, else `client_secret_post` if it lists that (RFC 8414 §2).
  public static func secret(_ secret: Secret) -> Self { Self(method: .published(secret)) }
  /// `client_secret_basic`: form-encoded, then HTTP Basic (RFC 6749 §2.3.1).
  public static func secretBasic(_ secret: Secret) -> Self { Self(method: .basic(secret)) }
  /// `client_secret_post`: in the body (RFC 6749 §2.3.1).
  public static func secretPost(_ secret: Secret) -> Self { Self(method: .post(secret)) }

  func resolved(by metadata: IssuerMetadata) -> Self {
    guard case .published(let secret) = method else { return self }
    let methods = metadata.clientAuthenticationMethods ?? []
    let wantsPost = methods.contains("client_secret_post") && !methods.contains("client_secret_basic")
    return wantsPost ? .secretPost(secret) : .secretBasic(secret)
  }

  /// Adds the client's identification to the form or to a header, never to both (RFC 6749 §2.3).
  func authenticate(_ clientID: String, in form: inout FormBody, _ headers: inout HTTPHeaders) {
    switch method {
    case .none:
      form.add("client_id", clientID)
    case .post(let secret):
      form.add("client_id", clientID)
      form.add("client_secret", secret.reveal())
    case .basic(let secret), .published(let secret):
      let pair = FormBody.encode(clientID) + ":" + FormBody.encode(secret.reveal())
      headers["Authorization"] = "Basic " + Data(pair.utf8).base64EncodedString()
    }
  }
}

extension HTTPRequest {
  /// Creates the request that posts a form, with the client's authentication (RFC 6749 §3.2.1).
  init(posting form: FormBody, to url: URL, by client: OpenIDClient) {
    var form = form
    var headers: HTTPHeaders = [:]
    client.authentication.authenticate(client.clientID, in: &form, &headers)
    self.init(posting: form, to: url)
    for field in headers.fields { self.headers.append(field.name, field.value) }
  }
}
