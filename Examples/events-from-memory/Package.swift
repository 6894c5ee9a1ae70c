// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "EventsFromMemory",
  platforms: [.macOS(.v26)],
  dependencies: [
    // In a package of your own: .package(url: "https://…/FirstMile", from: "…")
    .package(name: "FirstMile", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "EventsFromMemory",
      dependencies: [.product(name: "FirstMile", package: "FirstMile")],
      path: "Sources", swiftSettings: [.swiftLanguageMode(.v6)])
  ]
)
