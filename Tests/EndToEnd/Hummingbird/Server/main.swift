// A server in Hummingbird that checks access tokens: NotesServer ISSUER PORT NONCE_SECRET

import AuthenticationVerifier
import Foundation
import HTTPTypes
import Hummingbird

/// Lets only requests with a verified access token through, and hands it to the routes.
struct AccessTokenMiddleware: RouterMiddleware {
  let verifier: AccessTokenVerifier
  let scopes: [String]

  func handle(
    _ request: Request, context: NotesContext, next: (Request, NotesContext) async throws -> Response
  ) async throws -> Response {
    var headers: HTTPHeaders = [:]
    for field in request.headers { headers.append(field.name.rawName, field.value) }
    do {
      var context = context
      let access = try await verifier.verify(
        method: request.method.rawValue, path: request.uri.string, headers: headers, requiring: scopes)
      context.access = access
      return try await next(request, context).adding(access.responseHeaders)
    } catch let refusal as AccessTokenRefusal {
      context.logger.notice("refused: \(refusal)")
      return Response(status: .init(code: refusal.status)).adding(refusal.headers)
    }
  }
}

/// A request and the token that came with it.
struct NotesContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  var access: VerifiedAccessToken?

  init(source: ApplicationRequestContextSource) { coreContext = CoreRequestContextStorage(source: source) }
}

extension Response {
  func adding(_ fields: HTTPHeaders) -> Response {
    var response = self
    for field in fields.fields {
      guard let name = HTTPField.Name(field.name) else { continue }
      response.headers.append(HTTPField(name: name, value: field.value.reveal()))
    }
    return response
  }
}

let arguments = CommandLine.arguments
let port = Int(arguments[2]) ?? 8_080
let verifier = try AccessTokenVerifier(
  resource: "http://127.0.0.1:\(port)/notes", issuer: arguments[1],
  proofs: AccessTokenProofs(isRequired: true, nonceSecret: Secret(arguments[3])))

let router = Router(context: NotesContext.self)
router.get(RouterPath(verifier.metadataURL.path())) { _, _ in
  Response(
    status: .ok, headers: [.contentType: "application/json"],
    body: ResponseBody(byteBuffer: ByteBuffer(bytes: verifier.metadata(scopes: ["notes:read"]))))
}
router.group("notes").add(middleware: AccessTokenMiddleware(verifier: verifier, scopes: []))
  .get { _, context in "notes of \(context.access?.subject ?? "no user")" }
router.group("notes/all").add(middleware: AccessTokenMiddleware(verifier: verifier, scopes: ["admin"]))
  .get { _, _ in "all notes" }

try await Application(
  router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port))
).runService()
