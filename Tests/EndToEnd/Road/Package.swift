// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Road",
  platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  dependencies: [.package(name: "AuthenticationKit", path: "../../..", traits: ["OpenID"])],
  targets: [
    .executableTarget(
      name: "Road",
      dependencies: [
        .product(name: "AuthenticationKit", package: "AuthenticationKit"),
        .product(name: "AuthenticationOpenID", package: "AuthenticationKit"),
      ],
      path: ".")
  ]
)
