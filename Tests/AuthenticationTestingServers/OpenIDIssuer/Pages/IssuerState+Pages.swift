#if Tools && OpenID
import Foundation

/// The part of a user at the issuer's pages, where ``LoopbackOpenIDIssuer/UserAction/types`` says that there are any.
extension IssuerState {
  static let wrongPassword = "The user name or the password is not correct."

  func signInPage(_ query: String, problem: String? = nil) -> Answer {
    IssuerPage(
      title: "Sign in", explanation: "\(options.clientID) asks who you are. It does not learn your password.",
      address: path(of: .authorization) + "?" + query, problem: problem
    ).answer
  }

  /// The device page (RFC 8628 §3.3): the form, then the user's decision.
  mutating func devicePage(_ request: Request) -> Answer {
    guard user == .types else { return .error("not_found", status: 404) }
    guard request.method == "POST" else { return devicePage(request.parameters["user_code"] ?? "") }
    let form = request.form
    let code = (form["user_code"] ?? "").uppercased().filter { !$0.isWhitespace }
    guard let index = devices.firstIndex(where: { $0.userCode == code && $0.decision == nil }) else {
      return devicePage(code, problem: "No device shows this code.")
    }
    if form["decision"] == "decline" {
      devices[index].decision = .declines
      return .page("You have declined. You can close this page.")
    }
    guard let account = account(form) else { return devicePage(code, problem: Self.wrongPassword) }
    devices[index].decision = .approves(account)
    return .page("You are signed in on the other device. You can close this page.")
  }

  /// Whose user name and password were typed.
  func account(_ form: [String: String]) -> Account? {
    options.accounts.first { $0.username == form["username"] && $0.password == form["password"] }
  }

  private func devicePage(_ code: String, problem: String? = nil) -> Answer {
    IssuerPage(
      title: "Sign in on another device", explanation: "Compare the code with the one that the device shows.",
      address: path(of: .device), userCode: code, problem: problem
    ).answer
  }
}
#endif
