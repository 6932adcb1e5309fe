import AuthenticationDomain
import AuthenticationKit
import Observation

/// The product and its stage, for all tabs of all browsers that look at it.
@MainActor
final class Showcase {
  let world: ShowcaseWorld
  let product: Product
  let visitors: Visitors
  private var tabs: [Int: AsyncStream<Void>.Continuation] = [:]
  private var lastTab = 0
  private var following: [Task<Void, Never>] = []

  init(at guarding: RequestGuard) async throws(AuthenticationError) {
    let asked = Broadcast<Void>()
    let passkeys = BrowserAuthenticator(changed: asked)
    let browser = PageBrowser(redirectAddress: guarding.redirectAddress, changed: asked)
    world = try await ShowcaseWorld(origin: guarding.origin, authenticator: passkeys, presenter: browser)
    product = Product(world, passkeys: passkeys, browser: browser)
    visitors = Visitors(port: guarding.port)
    following = [
      Task { [weak product, changes = asked.values(keeping: 1)] in
        for await _ in changes { product?.showBrowser() }
      },
      Task { [weak self, changes = world.recorder.changes()] in
        for await _ in changes { self?.change() }
      },
    ]
    watch()
  }

  func stop() async {
    for task in following { task.cancel() }
    for tab in tabs.values { tab.finish() }
    await world.stop()
  }

  func scene(at place: Place, for visitor: Visitor) -> Scene {
    product.open()
    // A page that is not there any more is the first one, and its forms lead there.
    let place = product.shows(place) ? place : .home
    return Scene(product: product, backstage: world.snapshot, place: place, seal: Seal(of: visitor))
  }

  /// The drawing of a flow without a user.
  var stillScene: Scene { Scene(product: product, backstage: world.snapshot, place: .home, seal: .blank) }

  /// An element each time there may be something else to show; several changes may be one.
  func changes() -> AsyncStream<Void> {
    let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    lastTab += 1
    let tab = lastTab
    tabs[tab] = change
    change.onTermination = { [weak self] _ in Task { @MainActor in self?.tabs[tab] = nil } }
    change.yield()
    return changes
  }

  private func change() {
    product.open()
    product.closeForeignAccount()
    for tab in tabs.values { tab.yield() }
    Task { [product] in await product.answerAccountStep() }
  }

  /// Each source of the pages: a change of it is a change of the pages.
  private func watch() {
    withObservationTracking {
      for place in Place.allCases {
        _ = Scene(product: product, backstage: world.snapshot, place: place, seal: .blank).versions()
      }
    } onChange: { [weak self] in
      Task { @MainActor in
        self?.change()
        self?.watch()
      }
    }
  }
}
