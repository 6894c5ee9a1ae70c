// swift-tools-version: 6.2
import PackageDescription

// Micro-benchmarks: a package of its own, so that a plain build of FirstMile fetches none of this.
let package = Package(
  name: "FirstMileBenchmarks",
  platforms: [.macOS(.v26)],
  dependencies: [
    // The checkout itself must not be named `bench`: the two packages would be taken for one.
    .package(name: "FirstMile", path: ".."),
    // No traits: its counters of allocations and retains bring interposing libraries along.
    .package(url: "https://github.com/ordo-one/benchmark", exact: "1.38.1", traits: []),
  ],
  targets: [
    .systemLibrary(name: "CIsalFloor", path: "Benchmarks/CIsalFloor", pkgConfig: "libisal"),
    .executableTarget(
      name: "DataPath",
      dependencies: [
        "CIsalFloor",
        .product(name: "Benchmark", package: "benchmark"),
        .product(name: "EventInput", package: "FirstMile"),
        .product(name: "FlowDefinition", package: "FirstMile"),
        .product(name: "FunnelEngine", package: "FirstMile"),
        .product(name: "FunnelReport", package: "FirstMile"),
        .product(name: "FirstMileSimulation", package: "FirstMile"),
        .product(name: "Timelines", package: "FirstMile"),
      ],
      path: "Benchmarks/DataPath",
      swiftSettings: [.swiftLanguageMode(.v6)],
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
  ]
)
