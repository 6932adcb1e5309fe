import AuthenticationKit
import DjangoAllauth
import authctl

/// `authctl`, which knows one more kind of provider: `--provider allauth --base-url URL`.
await runAuthCTL(adding: [
  ProviderKind("allauth", required: [.baseURL]) { .djangoAllauth(baseURL: $0[.baseURL]) }
])
