// swift-tools-version: 6.2
import PackageDescription

// Warnings are errors only where this package is checked: Xcode compiles an app's packages with `-suppress-warnings`,
// with which the compiler refuses this.
let strictness: [SwiftSetting] =
  Context.environment["WARNINGS_ARE_ERRORS"] != nil ? [.treatAllWarnings(as: .error)] : []
let settings: [SwiftSetting] =
  strictness + [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
  ]
// Apple's platforms ask for the manifest in the app's bundle; on Linux a resource would cost a bundle and its accessor.
#if os(Linux)
let (privacyManifest, excluded, linked): ([Resource], [String], [String]) = ([], ["PrivacyInfo.xcprivacy"], [])
#else
let (privacyManifest, excluded, linked): ([Resource], [String], [String]) =
  ([.copy("PrivacyInfo.xcprivacy")], [], ["HTTP/URLSession"])
#endif

// An app that names no trait's target can say `traits: []` and then fetches nothing besides this package.
let argumentParser = product("ArgumentParser", of: "swift-argument-parser", traits: ["Tools"])
let flyingFox = product("FlyingFox", of: "FlyingFox", traits: ["Tools"])
let crypto = product("Crypto", of: "swift-crypto", on: [.linux], traits: ["Encryption", "OpenID", "Cognito"])
let cryptoExtras = product("CryptoExtras", of: "swift-crypto", on: [.linux], traits: ["OpenID"])
// The loopback issuer signs with swift-crypto everywhere; the vectors of Wycheproof are independent of it.
let issuerCrypto = ["Crypto", "CryptoExtras"].map { product($0, of: "swift-crypto", traits: ["OpenID"]) }

let dataLayer: [Target.Dependency] = ["AuthenticationDomain", "AuthenticationData"]
let accountLayer = dataLayer + ["AuthenticationAccount"]
let pageLayer = accountLayer + ["AuthenticationBrowser"]
let issuerLayer = dataLayer + ["AuthenticationOpenID"]
let viewsOfApple = Target.Dependency.target(
  name: "AuthenticationUI", condition: .when(platforms: [.iOS, .macCatalyst, .macOS, .tvOS, .visionOS, .watchOS]))
let screenLayer: [Target.Dependency] = ["AuthenticationDomain", "AuthenticationPresentation"]
let testing: [Target.Dependency] = [
  "AuthenticationKit", "AuthenticationAccount", "AuthenticationTesting", "AuthenticationTestingServers",
  "VendorServers",
]

let package = Package(
  name: "AuthenticationKit", defaultLocalization: "en",
  platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    library("AuthenticationDomain"),
    library("AuthenticationData"),
    library("AuthenticationPresentation"),
    library("AuthenticationScreens"),
    library("AuthenticationUI"),
    library("AuthenticationLanguages"),
    library("AuthenticationKit"),
    library("AuthenticationDiagnostics"),
    library("AuthenticationMultiAccount"),
    library("AuthenticationAccount", with: "AuthenticationAccountPresentation"),
    library("AuthenticationEncryption"),
    library("AuthenticationNativeSignIn", with: "AuthenticationPasskeys"),
    library("AuthenticationMovingIn"),
    library("AuthenticationOpenID", with: "AuthenticationBrowser"),
    library("AuthenticationResources", with: "AuthenticationOpenID", "AuthenticationBrowser"),
    library("AuthenticationWorkload", with: "AuthenticationOpenID"),
    library("AuthenticationVerifier", with: "AuthenticationOpenID"),
    library("AuthenticationFirebase", with: "AuthenticationBrowser"),
    library("AuthenticationSupabase", with: "AuthenticationBrowser"),
    library("AuthenticationCognito", with: "AuthenticationBrowser"),
    library("AuthenticationTesting", with: "AuthenticationTestingServers"),
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
    module("AuthenticationDomain", at: "Domain"),

    .target(name: "CurlInterface", path: "Data/CurlInterface"),
    .target(
      name: "AuthenticationData",
      dependencies: ["AuthenticationDomain", .target(name: "CurlInterface", condition: .when(platforms: [.linux]))],
      path: "Data/AuthenticationData", exclude: excluded, resources: privacyManifest, swiftSettings: settings),
    // An app that offers only passwords compiles none of these.
    module("AuthenticationAccount", at: "Data/AuthenticationAccount", dataLayer),
    module("AuthenticationPasskeys", at: "Data/Mechanisms/AuthenticationPasskeys", accountLayer),
    module("AuthenticationNativeSignIn", at: "Data/Mechanisms/AuthenticationNativeSignIn", dataLayer),
    module("AuthenticationMovingIn", at: "Data/Mechanisms/AuthenticationMovingIn", dataLayer),
    module("AuthenticationEncryption", at: "Data/Mechanisms/AuthenticationEncryption", dataLayer + [crypto]),
    module("AuthenticationBrowser", at: "Data/Mechanisms/AuthenticationBrowser", dataLayer),
    module("AuthenticationOpenID", at: "Data/Providers/AuthenticationOpenID", pageLayer + [crypto, cryptoExtras]),
    module(
      "AuthenticationResources", at: "Data/Resources/AuthenticationResources", issuerLayer + ["AuthenticationBrowser"]),
    module("AuthenticationWorkload", at: "Data/Resources/AuthenticationWorkload", issuerLayer),
    module("AuthenticationVerifier", at: "Data/Resources/AuthenticationVerifier", issuerLayer + [crypto]),
    module("AuthenticationFirebase", at: "Data/Providers/AuthenticationFirebase", pageLayer),
    module("AuthenticationSupabase", at: "Data/Providers/AuthenticationSupabase", pageLayer),
    module("AuthenticationCognito", at: "Data/Providers/AuthenticationCognito", pageLayer + [crypto]),

    module("AuthenticationPresentation", at: "Presentation/AuthenticationPresentation", ["AuthenticationDomain"]),
    module("AuthenticationLanguages", at: "Presentation/AuthenticationLanguages", screenLayer, [.embedInCode("Words")]),
    // Without SwiftUI it holds no view; Tests/AppleStubs/check type-checks them.
    module("AuthenticationScreens", at: "Presentation/AuthenticationScreens", screenLayer),
    module("AuthenticationUI", at: "Presentation/AuthenticationUI", screenLayer + ["AuthenticationScreens"]),
    module(
      "AuthenticationAccountPresentation", at: "Presentation/AuthenticationAccountPresentation",
      screenLayer + ["AuthenticationAccount", "AuthenticationScreens"]),

    module("AuthenticationKit", at: "Composition/AuthenticationKit", dataLayer + ["AuthenticationPresentation"]),
    module(
      "AuthenticationDiagnostics", at: "Composition/AuthenticationDiagnostics", dataLayer + ["AuthenticationKit"]),
    module(
      "AuthenticationMultiAccount", at: "Composition/AuthenticationMultiAccount",
      dataLayer + ["AuthenticationKit", "AuthenticationPresentation", "AuthenticationScreens", viewsOfApple]),
    // The commands are a library, from which a program with further kinds of providers is made as well.
    module(
      "AuthCTLCommands", at: "Composition/authctl/Commands",
      [
        "AuthenticationKit", "AuthenticationDiagnostics", "AuthenticationAccount", "AuthenticationOpenID",
        "AuthenticationResources", "AuthenticationWorkload", "AuthenticationFirebase", "AuthenticationSupabase",
        "AuthenticationCognito", argumentParser,
      ]),
    program("authctl", at: "Composition/authctl/Program", ["AuthCTLCommands"]),
    program(
      "showcase", at: "Composition/Showcase",
      testing + [
        "AuthCTLCommands", "AuthenticationDiagnostics", "AuthenticationAccountPresentation", "AuthenticationScreens",
        "AuthenticationOpenID", "AuthenticationSupabase", "AuthenticationPasskeys", argumentParser, flyingFox,
      ],
      resources: ["css", "js", "svg"].map { .embedInCode("Assets/showcase.\($0)") }),

    // Two targets, so that the Domain's own tests need nothing but the Domain; an app's tests import the second.
    module("AuthenticationDomainTesting", at: "Tests/AuthenticationTesting/Domain", ["AuthenticationDomain"]),
    module(
      "AuthenticationTesting", at: "Tests/AuthenticationTesting/Layers",
      accountLayer + [
        "AuthenticationAccountPresentation", "AuthenticationPresentation", "AuthenticationScreens", viewsOfApple,
        "AuthenticationMultiAccount", "AuthenticationDomainTesting",
      ]),
    module(
      "AuthenticationTestingServers", at: "Tests/AuthenticationTestingServers",
      dataLayer + ["AuthenticationPasskeys", "AuthenticationDomainTesting", flyingFox] + issuerCrypto),
    // No product has them: they prove agreement with this package's own adapters alone.
    module(
      "VendorServers", at: "Tests/VendorServers",
      ["AuthenticationDomain", "AuthenticationDomainTesting", "AuthenticationTestingServers", flyingFox] + issuerCrypto),

    tests("DomainTests", ["AuthenticationDomain", "AuthenticationDomainTesting"]),
    tests(
      "DataTests",
      accountLayer + [
        "AuthenticationEncryption", "AuthenticationPasskeys", "AuthenticationNativeSignIn", "AuthenticationMovingIn",
        "AuthenticationTesting", crypto,
      ],
      exclude: ["Fixtures"] + linked),
    tests(
      "OpenIDTests",
      testing + dataLayer + [
        "AuthenticationBrowser", "AuthenticationOpenID", "AuthenticationPasskeys", "AuthenticationNativeSignIn",
        "AuthenticationResources", flyingFox,
      ] + issuerCrypto,
      exclude: ["Fixtures"]),
    tests(
      "ResourcesTests",
      testing + issuerLayer + [
        "AuthenticationBrowser", "AuthenticationResources", "AuthenticationWorkload", "AuthenticationVerifier",
      ] + issuerCrypto),
    tests(
      "VendorTests",
      testing + dataLayer + [
        "AuthenticationBrowser", "AuthenticationFirebase", "AuthenticationSupabase", "AuthenticationCognito",
        "AuthenticationPasskeys", crypto,
      ],
      exclude: ["Cognito/Fixtures"]),
    tests(
      "PresentationTests",
      accountLayer + [
        "AuthenticationScreens", "AuthenticationUI", "AuthenticationAccountPresentation", "AuthenticationLanguages",
        "AuthenticationMultiAccount", "AuthenticationTesting",
      ]),
    tests(
      "CompositionTests",
      testing + [
        "AuthenticationDiagnostics", "AuthenticationMultiAccount", "AuthenticationOpenID", "AuthenticationFirebase",
        "AuthenticationSupabase", "AuthenticationCognito", "AuthenticationNativeSignIn",
      ]),
    // Runs `reliability` without depending on it: its interposed calls must not be linked into the tests.
    tests(
      "EndToEndTests",
      testing + [
        "AuthenticationOpenID", "AuthenticationPasskeys", "AuthCTLCommands", "authctl", "showcase", "ReliabilityWorld",
        argumentParser,
      ] + issuerCrypto),
    tests(
      "FuzzingTests", at: "Tests/Fuzzing",
      dataLayer + [
        "AuthenticationMovingIn", "AuthenticationPasskeys",
        .target(name: "AuthenticationOpenID", condition: .when(traits: ["OpenID"])), crypto,
      ],
      exclude: ["Corpus", "Dictionaries", "run"]),

    // The programs that Tests/EndToEnd/*/run start.
    program(
      "endtoend", at: "Tests/EndToEnd/Programs",
      testing + dataLayer + [
        "AuthCTLCommands", "AuthenticationOpenID", "AuthenticationPasskeys", "AuthenticationCognito", crypto,
      ]),

    module("Simulation", at: "Tests/Simulation/World", dataLayer + ["AuthenticationDiagnostics"]),
    program("simulate", at: "Tests/Simulation/Command", ["AuthenticationDomain", "Simulation"]),
    tests("SimulationTests", ["AuthenticationDomain", "AuthenticationDiagnostics", "Simulation"]),

    .target(name: "Counters", path: "Tests/Benchmarks/Counters"),
    program(
      "benchmarks", at: "Tests/Benchmarks",
      testing + dataLayer + [
        "AuthenticationOpenID", "AuthenticationWorkload", "Counters", "authctl", crypto, cryptoExtras, flyingFox,
      ],
      exclude: ["Counters"]),

    .target(name: "Interposer", path: "Tests/Reliability/Interposer"),
    module(
      "ReliabilityWorld", at: "Tests/Reliability/World",
      ["AuthenticationTesting", "AuthenticationTestingServers", flyingFox]),
    program(
      "reliability", at: "Tests/Reliability",
      testing + ["AuthenticationDiagnostics", "Interposer", "ReliabilityWorld", argumentParser],
      exclude: ["Interposer", "World", "run"]),

    .target(name: "ParallelTests", path: "Tests/ParallelTests"),  // Bounds how many tests run at once: see the file.
  ]
)

// Tests on a real keyring exist only where Tests/Keyring/run provides one: elsewhere none of them is skipped or passed.
if Context.environment["KEYRING_HOME"] != nil {
  package.targets.append(tests("KeyringTests", testing + dataLayer + ["authctl"]))
}

func product(
  _ name: String, of package: String, on platforms: [Platform] = [], traits: Set<String>
) -> Target.Dependency {
  .product(
    name: name, package: package,
    condition: platforms.isEmpty ? .when(traits: traits) : .when(platforms: platforms, traits: traits))
}

/// A product with the modules that an app's target may import when it depends on it.
func library(_ name: String, with other: String...) -> Product { .library(name: name, targets: [name] + other) }

func module(_ name: String, at path: String, _ needs: [Target.Dependency] = [], _ files: [Resource] = []) -> Target {
  .target(name: name, dependencies: needs, path: path, resources: files, swiftSettings: settings)
}

func program(
  _ name: String, at path: String, _ dependencies: [Target.Dependency], exclude: [String] = [],
  resources: [Resource] = []
) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: path, exclude: exclude, resources: resources,
    swiftSettings: settings)
}

func tests(
  _ name: String, at path: String? = nil, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["ParallelTests"], path: path ?? "Tests/\(name)", exclude: exclude,
    swiftSettings: settings + [.define("TESTS", .when(platforms: [.linux]))])
}
