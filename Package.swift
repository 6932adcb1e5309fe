// swift-tools-version: 6.2
import PackageDescription

var settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
]
// Only where this package is checked: Xcode compiles an app's packages with `-suppress-warnings`, beside which the
// compiler refuses this.
if Context.environment["WARNINGS_ARE_ERRORS"] != nil { settings.append(.treatAllWarnings(as: .error)) }

// Apple's platforms ask for the manifest in the app's bundle; on Linux a resource would cost a bundle and its accessor.
#if os(Linux)
let (privacyManifest, excluded): ([Resource], [String]) = ([], ["PrivacyInfo.xcprivacy"])
#else
let (privacyManifest, excluded): ([Resource], [String]) = ([.copy("PrivacyInfo.xcprivacy")], [])
#endif

// An app that names no trait's target can say `traits: []` and then fetches nothing besides this package.
let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Tools"]))
let flyingFox = Target.Dependency.product(
  name: "FlyingFox", package: "FlyingFox", condition: .when(traits: ["Tools"]))
let crypto = Target.Dependency.product(
  name: "Crypto", package: "swift-crypto",
  condition: .when(platforms: [.linux], traits: ["Encryption", "OpenID", "Cognito"]))
let cryptoExtras = Target.Dependency.product(
  name: "CryptoExtras", package: "swift-crypto", condition: .when(platforms: [.linux], traits: ["OpenID"]))

// The loopback issuer signs with swift-crypto everywhere: it must not share an implementation with what it tests.
let issuerCrypto = ["Crypto", "CryptoExtras"].map {
  Target.Dependency.product(name: $0, package: "swift-crypto", condition: .when(traits: ["OpenID"]))
}

// Its commands are a library, from which a program with further kinds of providers is made as well.
let authctl = Product.executable(name: "authctl", targets: ["authctl-program"])

let package = Package(
  name: "AuthenticationKit",
  platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "AuthenticationDomain", targets: ["AuthenticationDomain"]),
    .library(name: "AuthenticationData", targets: ["AuthenticationData"]),
    .library(name: "AuthenticationPresentation", targets: ["AuthenticationPresentation"]),
    .library(name: "AuthenticationUI", targets: ["AuthenticationUI"]),
    .library(name: "AuthenticationKit", targets: ["AuthenticationKit"]),
    .library(name: "AuthenticationEncryption", targets: ["AuthenticationEncryption"]),
    .library(name: "AuthenticationPasskeys", targets: ["AuthenticationPasskeys"]),
    .library(name: "AuthenticationNativeSignIn", targets: ["AuthenticationNativeSignIn"]),
    .library(name: "AuthenticationMovingIn", targets: ["AuthenticationMovingIn"]),
    .library(name: "AuthenticationOpenID", targets: ["AuthenticationOpenID"]),
    .library(name: "AuthenticationFirebase", targets: ["AuthenticationFirebase"]),
    .library(name: "AuthenticationSupabase", targets: ["AuthenticationSupabase"]),
    .library(name: "AuthenticationCognito", targets: ["AuthenticationCognito"]),
    .library(name: "AuthenticationTesting", targets: ["AuthenticationTesting"]),
    .library(name: "AuthenticationTestingServers", targets: ["AuthenticationTestingServers"]),
    authctl,
  ],
  traits: [
    .default(enabledTraits: ["Tools", "Encryption", "OpenID", "Cognito"]),
    .trait(name: "Tools", description: "authctl and the loopback identity server (swift-argument-parser, FlyingFox)."),
    .trait(name: "Encryption", description: "AuthenticationEncryption off Apple platforms (swift-crypto)."),
    .trait(name: "OpenID", description: "AuthenticationOpenID off Apple platforms (swift-crypto)."),
    .trait(name: "Cognito", description: "AuthenticationCognito off Apple platforms (swift-crypto)."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    .target(name: "AuthenticationDomain", path: "Domain", swiftSettings: settings),
    .target(name: "CurlInterface", path: "Data/CurlInterface"),
    .target(
      name: "AuthenticationData",
      dependencies: [
        "AuthenticationDomain", .target(name: "CurlInterface", condition: .when(platforms: [.linux])),
      ],
      path: "Data/AuthenticationData", exclude: excluded, resources: privacyManifest, swiftSettings: settings),
    // An app that offers only passwords compiles none of these three.
    .target(
      name: "AuthenticationPasskeys", dependencies: ["AuthenticationDomain", "AuthenticationData"],
      path: "Data/AuthenticationPasskeys", swiftSettings: settings),
    .target(
      name: "AuthenticationNativeSignIn", dependencies: ["AuthenticationDomain", "AuthenticationData"],
      path: "Data/AuthenticationNativeSignIn", swiftSettings: settings),
    .target(
      name: "AuthenticationMovingIn", dependencies: ["AuthenticationDomain", "AuthenticationData"],
      path: "Data/AuthenticationMovingIn", swiftSettings: settings),
    .target(
      name: "AuthenticationEncryption", dependencies: ["AuthenticationDomain", "AuthenticationData", crypto],
      path: "Data/AuthenticationEncryption", swiftSettings: settings),
    .target(
      name: "AuthenticationOpenID",
      dependencies: ["AuthenticationDomain", "AuthenticationData", crypto, cryptoExtras],
      path: "Data/AuthenticationOpenID", swiftSettings: settings),
    .target(
      name: "AuthenticationFirebase", dependencies: ["AuthenticationDomain", "AuthenticationData"],
      path: "Data/AuthenticationFirebase", swiftSettings: settings),
    .target(
      name: "AuthenticationSupabase", dependencies: ["AuthenticationDomain", "AuthenticationData"],
      path: "Data/AuthenticationSupabase", swiftSettings: settings),
    .target(
      name: "AuthenticationCognito", dependencies: ["AuthenticationDomain", "AuthenticationData", crypto],
      path: "Data/AuthenticationCognito", swiftSettings: settings),
    .target(
      name: "AuthenticationPresentation", dependencies: ["AuthenticationDomain"],
      path: "Presentation/AuthenticationPresentation", swiftSettings: settings),
    // Without SwiftUI it is empty: Tests/AppleStubs/check type-checks it there.
    .target(
      name: "AuthenticationUI", dependencies: ["AuthenticationDomain", "AuthenticationPresentation"],
      path: "Presentation/AuthenticationUI", swiftSettings: settings),
    .target(
      name: "AuthenticationKit",
      dependencies: ["AuthenticationDomain", "AuthenticationData", "AuthenticationPresentation"],
      path: "Composition/AuthenticationKit", swiftSettings: settings),
    .target(
      name: "authctl",
      dependencies: [
        "AuthenticationKit", "AuthenticationOpenID", "AuthenticationFirebase", "AuthenticationSupabase",
        "AuthenticationCognito", "AuthenticationPasskeys", "AuthenticationTesting", "AuthenticationTestingServers",
        argumentParser, flyingFox,
      ],
      path: "Composition/authctl", swiftSettings: settings),
    .executableTarget(
      name: "authctl-program", dependencies: ["authctl"], path: "Composition/Program", swiftSettings: settings),

    // Two targets, so that the Domain's own tests build nothing but the Domain; a team imports the second.
    .target(
      name: "AuthenticationDomainTesting", dependencies: ["AuthenticationDomain"],
      path: "Tests/AuthenticationTesting/Domain", swiftSettings: settings),
    .target(
      name: "AuthenticationTesting",
      dependencies: [
        "AuthenticationDomain", "AuthenticationData", "AuthenticationPresentation", "AuthenticationUI",
        "AuthenticationDomainTesting",
      ],
      path: "Tests/AuthenticationTesting/Layers", swiftSettings: settings),
    .target(
      name: "AuthenticationTestingServers",
      dependencies: [
        "AuthenticationDomain", "AuthenticationData", "AuthenticationPasskeys", "AuthenticationDomainTesting",
        flyingFox,
      ] + issuerCrypto,
      path: "Tests/AuthenticationTestingServers", swiftSettings: settings),
    .testTarget(
      name: "DomainTests", dependencies: ["AuthenticationDomain", "AuthenticationDomainTesting", "FleetModel"],
      path: "Tests/DomainTests", swiftSettings: settings),
    .testTarget(
      name: "DataTests",
      dependencies: [
        "AuthenticationDomain", "AuthenticationData", "AuthenticationEncryption", "AuthenticationPasskeys",
        "AuthenticationNativeSignIn", "AuthenticationMovingIn", "AuthenticationTesting", crypto,
      ],
      path: "Tests/DataTests", exclude: ["Fixtures"], swiftSettings: settings),
    .testTarget(
      name: "OpenIDTests",
      dependencies: [
        "AuthenticationDomain", "AuthenticationData", "AuthenticationOpenID", "AuthenticationPasskeys",
        "AuthenticationNativeSignIn", "AuthenticationKit", "AuthenticationTesting", "AuthenticationTestingServers",
      ] + issuerCrypto,
      path: "Tests/OpenIDTests", exclude: ["Fixtures"], swiftSettings: settings),
    .testTarget(
      name: "FirebaseTests",
      dependencies: [
        "AuthenticationDomain", "AuthenticationData", "AuthenticationFirebase", "AuthenticationKit",
        "AuthenticationTesting", "AuthenticationTestingServers",
      ],
      path: "Tests/FirebaseTests", swiftSettings: settings),
    .testTarget(
      name: "SupabaseTests",
      dependencies: [
        "AuthenticationDomain", "AuthenticationData", "AuthenticationSupabase", "AuthenticationKit",
        "AuthenticationTesting", "AuthenticationTestingServers",
      ],
      path: "Tests/SupabaseTests", swiftSettings: settings),
    .testTarget(
      name: "LoopbackFirebaseTests",
      dependencies: [
        "AuthenticationDomain", "AuthenticationData", "AuthenticationTesting", "AuthenticationTestingServers",
      ],
      path: "Tests/LoopbackFirebaseTests", swiftSettings: settings),
    .testTarget(
      name: "CognitoTests",
      dependencies: [
        "AuthenticationDomain", "AuthenticationData", "AuthenticationCognito", "AuthenticationKit",
        "AuthenticationTesting", "AuthenticationTestingServers", crypto,
      ],
      path: "Tests/CognitoTests", exclude: ["Fixtures"], swiftSettings: settings),
    .testTarget(
      name: "PresentationTests",
      dependencies: ["AuthenticationDomain", "AuthenticationPresentation", "AuthenticationTesting"],
      path: "Tests/PresentationTests", swiftSettings: settings),
    .testTarget(
      name: "CompositionTests",
      dependencies: [
        "AuthenticationKit", "AuthenticationNativeSignIn", "AuthenticationTesting", "AuthenticationTestingServers",
      ],
      path: "Tests/CompositionTests", swiftSettings: settings),
    .testTarget(
      name: "SwitchTests",
      dependencies: [
        "AuthenticationKit", "AuthenticationOpenID", "AuthenticationFirebase", "AuthenticationSupabase",
        "AuthenticationCognito", "AuthenticationTesting", "AuthenticationTestingServers",
      ],
      path: "Tests/SwitchTests", swiftSettings: settings),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "AuthenticationKit", "AuthenticationOpenID", "AuthenticationPasskeys", "AuthenticationTesting",
        "AuthenticationTestingServers", "authctl", "authctl-program", argumentParser,
      ],
      path: "Tests/EndToEndTests", swiftSettings: settings),

    .testTarget(
      name: "FuzzingTests",
      dependencies: [
        "AuthenticationDomain", "AuthenticationData", "AuthenticationMovingIn", "AuthenticationPasskeys",
        .target(name: "AuthenticationOpenID", condition: .when(traits: ["OpenID"])), crypto,
      ],
      path: "Tests/Fuzzing", exclude: ["Corpus", "Dictionaries", "run"], swiftSettings: settings),

    .executableTarget(
      name: "Road", dependencies: ["AuthenticationKit", "AuthenticationOpenID"], path: "Tests/EndToEnd/Road",
      swiftSettings: settings),
    .target(
      name: "DjangoAllauth", dependencies: ["AuthenticationKit"], path: "Tests/EndToEnd/Adapter",
      swiftSettings: settings),
    .executableTarget(
      name: "Accounts",
      dependencies: ["AuthenticationKit", "AuthenticationPasskeys", "DjangoAllauth", "AuthenticationTestingServers"],
      path: "Tests/EndToEnd/Accounts", swiftSettings: settings),
    .executableTarget(
      name: "backends", dependencies: ["AuthenticationKit", "AuthenticationTesting"], path: "Tests/EndToEnd/Backends",
      exclude: ["Servers", "install", "judge.py", "run"], swiftSettings: settings),
    .executableTarget(
      name: "authctl-allauth", dependencies: ["authctl", "DjangoAllauth", "AuthenticationKit"],
      path: "Tests/EndToEnd/AuthCTL", swiftSettings: settings),
    .executableTarget(
      name: "passkeys", dependencies: ["AuthenticationPasskeys", "AuthenticationTestingServers"],
      path: "Tests/EndToEnd/Passkeys", exclude: ["judge.py", "run"], swiftSettings: settings),
    .executableTarget(
      name: "qrcodes", dependencies: ["authctl"], path: "Tests/EndToEnd/QRCodes", exclude: ["judge.py", "run"],
      swiftSettings: settings),
    .executableTarget(
      name: "cognito", dependencies: ["AuthenticationKit", "AuthenticationCognito", crypto],
      path: "Tests/EndToEnd/Cognito",
      exclude: ["judge.py", "pool.py", "run"], swiftSettings: settings),
    .target(
      name: "Simulation", dependencies: ["AuthenticationDomain", "AuthenticationData", "AuthenticationKit"],
      path: "Tests/Simulation/World", swiftSettings: settings),
    .executableTarget(
      name: "simulate", dependencies: ["AuthenticationDomain", "Simulation"], path: "Tests/Simulation/Command",
      swiftSettings: settings),
    .testTarget(
      name: "SimulationTests", dependencies: ["AuthenticationDomain", "Simulation"], path: "Tests/SimulationTests",
      swiftSettings: settings),
    .target(
      name: "FleetModel", dependencies: ["AuthenticationDomain"], path: "Tests/Simulation/Fleet/Model",
      swiftSettings: settings),
    .executableTarget(
      name: "fleet", dependencies: ["FleetModel"], path: "Tests/Simulation/Fleet/Command", swiftSettings: settings),
    .target(name: "AllocationCounter", path: "Tests/Benchmarks/AllocationCounter"),
    .target(name: "BareCurl", path: "Tests/Benchmarks/BareCurl"),
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        "AuthenticationDomain", "AuthenticationData", "AuthenticationOpenID", "AuthenticationKit",
        "AuthenticationTesting", "AuthenticationTestingServers", "AllocationCounter", "BareCurl", "authctl-program",
        crypto, cryptoExtras,
      ],
      path: "Tests/Benchmarks", exclude: ["AllocationCounter", "BareCurl"], swiftSettings: settings),
    .target(name: "Interposer", path: "Tests/Reliability/Interposer"),
    .target(
      name: "ReliabilityWorld", dependencies: ["AuthenticationTesting", "AuthenticationTestingServers"],
      path: "Tests/Reliability/World",
      swiftSettings: settings),
    .executableTarget(
      name: "reliability",
      dependencies: [
        "AuthenticationKit", "AuthenticationTesting", "AuthenticationTestingServers", "Interposer", "ReliabilityWorld",
        argumentParser,
      ],
      path: "Tests/Reliability", exclude: ["Interposer", "World", "run"], swiftSettings: settings),
    // Runs `reliability` without depending on it: its interposed calls must not be linked into the tests.
    .testTarget(
      name: "ReliabilityTests",
      dependencies: [
        "AuthenticationKit", "AuthenticationTesting", "AuthenticationTestingServers", "ReliabilityWorld",
      ],
      path: "Tests/ReliabilityTests", swiftSettings: settings),
  ]
)

// Tests on a real keyring exist only where Tests/Keyring/run provides one: elsewhere none of them is skipped or passed.
if Context.environment["KEYRING_HOME"] != nil {
  package.targets.append(
    .testTarget(
      name: "KeyringTests",
      dependencies: [
        "AuthenticationDomain", "AuthenticationData", "AuthenticationKit", "AuthenticationTesting",
        "AuthenticationTestingServers", "authctl-program",
      ],
      path: "Tests/KeyringTests", swiftSettings: settings))
}

// Bounds how many tests run at once: see the file.
package.targets.append(.target(name: "ParallelTests", path: "Tests/ParallelTests"))
for target in package.targets where target.type == .test { target.dependencies.append("ParallelTests") }

// A build of one's own for a few suites (`TEST_TARGETS="DomainTests DataTests" swift test`) compiles nothing else: what
// they do not need is left out of the package.
if let named = Context.environment["TEST_TARGETS"] {
  var needed = Set(named.split(separator: " ").map(String.init))
  var reached: [Target] = []
  while true {
    let found = package.targets.filter { needed.contains($0.name) }
    if found.count == reached.count { break }
    reached = found
    for dependency in found.flatMap(\.dependencies) {
      switch dependency {
      case .byNameItem(let name, _), .targetItem(let name, _): needed.insert(name)
      default: break
      }
    }
  }
  package.targets = reached
  package.products = needed.contains("authctl-program") ? [authctl] : []
}
