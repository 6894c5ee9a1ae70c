// swift-tools-version: 6.2
import PackageDescription

// Simulations of the decisions that reports and gates make: a package of its own, so that a plain
// build of FirstMile has none of this. `script/trust` runs it and writes docs/trust.md.
let package = Package(
  name: "FirstMileTrust",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "FirstMile", path: "..")],
  targets: [
    .executableTarget(
      name: "Trust",
      dependencies: [.product(name: "ExperimentStatistics", package: "FirstMile")],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
  ]
)
