public import AuthenticationKit
public import AuthenticationMultiAccount
public import SwiftUI

@MainActor public var flows: FlowEnvironment = given()
@MainActor public let model: AuthenticationViewModel = given()
@MainActor public let locked: LockedStoreModel = given()
@MainActor public let switcher: AccountSwitcherModel = given()

public func show(_ anything: Any...) {}
public func addButton(_ anything: Any..., isLastUsed: Bool = false) {}
public func askTheUser(about loss: SignOutLoss? = nil) async -> Bool { given() }
public func tellTheUser() {}
public func greet(_ user: User) {}
public func ask(_ challenge: Challenge) {}
public func polishCategory(_ number: Int) -> PluralCategory { given() }

/// An app's screen for a signed-in user.
public struct ContentView: View {
  public init(_ session: SessionModel) {}
  public var body: some View { Text("") }
}

/// A team's screen for a code.
public struct CodeView: View {
  public init(_ model: CodeEntryModel) {}
  public var body: some View { Text("") }
}

// The input of a user, and the user.
public let name: String = given()
public let password: String = given()
public let typed: String = given()
public let old: Secret = given()
public let new: Secret = given()
public let code: Secret = given()
public let token: Secret = given()

public let user: User = given()
public let session: AuthSession = given()
public let tokens: SessionTokens = given()
public let credentials: any Credentials = given()
@MainActor public let error: AuthenticationError = given()
