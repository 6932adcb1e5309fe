import AuthenticationDomain
import AuthenticationTesting

extension ProviderScript {
  /// How the service of ``NotesProvider`` speaks.
  static var notes: ProviderScript {
    var script = ProviderScript(
      credentials: .password(userName: "ada", password: Secret("canary-password")), userID: "ada",
      signIn: [
        .init(
          """
          POST https://notes.example.com/login
          Content-Type: application/json

          {"name":"ada","password":"canary-password"}
          """, .scripted(200, #"{"user":"ada","access":"canary-access","refresh":"canary-refresh","roles":["editor"]}"#)
        )
      ],
      refresh: .init(
        """
        POST https://notes.example.com/refresh
        Content-Type: application/json

        {"refresh":"canary-refresh"}
        """, .scripted(200, #"{"access":"canary-access-2","refresh":"canary-refresh-2","roles":[]}"#)))
    (script.claims, script.refreshedClaims) = (["roles": ["editor"]], ["roles": []])
    script.wrongCredentials = [.scripted(400, #"{"error":"wrong","text":"canary"}"#)]
    script.refreshWithoutNewToken = .scripted(200, #"{"access":"canary-access-2"}"#)
    script.sessionEnding = [.scripted(400, #"{"error":"gone","text":"canary"}"#)]
    script.transient = [.scripted(429, "canary"), .scripted(503, "canary")]
    script.otherRefusals = [.scripted(400, #"{"error":"app","text":"canary"}"#)]
    script.unknownCode = .scripted(400, #"{"error":"news","text":"canary"}"#)
    let resource = { (audience: String) -> String in
      #"{"access":"canary-access-3","refresh":"canary-refresh-3","audience":"\#(audience)"}"#
    }
    script.resource = .init(
      .resource("https://orders.example.com"),
      .init(
        """
        POST https://notes.example.com/refresh
        Content-Type: application/json

        {"for":"https:\\/\\/orders.example.com","refresh":"canary-refresh"}
        """, .scripted(200, resource("https://orders.example.com"))),
      refusals: [.scripted(400, #"{"error":"resource","text":"canary"}"#)],
      others: [.scripted(200, resource("https://bills.example.com"))])
    script.revocation = [
      .init(
        """
        POST https://notes.example.com/logout
        content-type: application/json

        {"refresh":"canary-refresh"}
        """, .scripted(204))
    ]
    script.revokedTokens = [.scripted(200, "{}")]
    return script
  }
}
