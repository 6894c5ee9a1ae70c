// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "EventServer",
  platforms: [.macOS(.v26)],
  dependencies: [
    // In a package of your own: .package(url: "https://…/FirstMile", from: "…")
    .package(name: "FirstMile", path: "../.."),
    .package(url: "https://github.com/swhitty/FlyingFox", .upToNextMinor(from: "0.27.1")),
  ],
  targets: [
    .executableTarget(
      name: "EventServer",
      dependencies: [.product(name: "FirstMile", package: "FirstMile"), "FlyingFox"],
      path: "Sources", swiftSettings: [.swiftLanguageMode(.v6)])
  ]
)
