import AuthenticationAccount
import AuthenticationDomain

/// Account services of a preset: nothing is ever done.
struct PresetAccount: AccountUseCase {
  let abilities: Set<AccountAbility> = []
  func perform(_ request: AccountRequest) async throws(AuthenticationError) -> AccountOutcome { throw .cancelled }
  func refreshUser() async throws(AuthenticationError) -> User { throw .cancelled }
  func linkedMethods() async throws(AuthenticationError) -> [LinkedMethod] { throw .cancelled }
  func factors() async throws(AuthenticationError) -> [EnrolledFactor] { throw .cancelled }
  func sessions() async throws(AuthenticationError) -> [RemoteSession] { throw .cancelled }
}
