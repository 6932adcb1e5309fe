import AuthenticationKit
import AuthenticationTesting
import Testing

/// One app and several providers: between two runs one line differs. // origin B5
@Suite(.timeLimit(.minutes(10))) struct SwitchTests {
  @Test(arguments: Vendor.allCases) func `an app lives the same life with any provider`(vendor: Vendor) async throws {
    let stage = try await vendor.stage()
    let seen = try await stage.app().live(as: stage.user) { stage.clock.advance(by: .seconds(3_601)) }
    let end = vendor.revokesTokens ? "signed out there" : "signed out here alone"
    #expect(seen == ["signed in", "a new token", "the same user", end, "signed out here"])
  }

  @Test(arguments: Vendor.allCases)
  func `each method that a provider declares signs in with its declared needs, and nothing else`(
    vendor: Vendor
  ) async throws {
    let methods = try await vendor.stage().app().root.methods
    #expect(!methods.isEmpty)
    for method in methods {
      let stage = try await vendor.stage()
      let app = try stage.app()
      let state = try await app.signIn(by: method, as: stage.user)
      #expect(state.isEnded && app.root.currentUser != nil, "\(method.id) at \(vendor): \(state)")
    }
  }

  @Test(arguments: Vendor.allCases) func `without one thing that it asks for, a method sends nothing`(
    vendor: Vendor
  ) async throws {
    let stage = try await vendor.stage()
    let typed: Set<SignInMethod.Need> = Set(stage.user.fields.keys)
    for method in try stage.app().root.methods {
      for missing in method.needs where typed.contains(missing) {
        var user = stage.user
        user.fields[missing] = nil
        let transport = ScriptedHTTPClient()
        let state = try await stage.app(transport: transport).signIn(by: method, as: user)
        #expect(state.failure?.disposition != .transient && state.failure != nil, "\(method.id) at \(vendor)")
        #expect(transport.requests.isEmpty, "\(method.id) at \(vendor) without \(missing.id)")
      }
    }
  }
}
