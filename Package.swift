// swift-tools-version: 6.2
import PackageDescription

// One array for every target: what the language offers to keep data races, hidden existentials
// and leaking imports out. The numbers are the Swift Evolution proposals.
let testSettings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),  // SE-0335
  .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
  .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
  .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
  .treatAllWarnings(as: .error),  // SE-0443
]

// What is shipped says `unsafe` wherever it touches raw memory or hands a pointer to the system, and the
// compiler holds it to that. Types that own such memory stand in the folders `Unsafe`, with their
// invariants; `@safe` says that who uses them need not know.
let settings =
  testSettings + [
    .strictMemorySafety(),  // SE-0458
    // Where more of the system's types are pointers, what isn't marked is no mistake.
    .treatWarning("StrictMemorySafety", as: .warning, .when(platforms: [.macOS])),
  ]

// script/test sets this for its one build, a release build in which only the targets that read,
// count and draw are optimised, and tests that count by brute force: unoptimised they are up to 16
// times slower, and optimising the packages that we depend on would take as long as our own. Findings
// and gates take no time in a run, but 30 s in the compiler. The build is started with `-Onone`, the
// last word of the command line, and these flags have the last word of the compiler proper. A debug
// build would not do: the packages' own checks for developers take a third of a short run.
let isForTests = Context.environment["FIRSTMILE_TESTS"] != nil
let optimisation: [SwiftSetting] =
  isForTests ? [.unsafeFlags(["-Xfrontend", "-O", "-enable-default-cmo"])] : []
let fastSettings = settings + optimisation
let fastTestSettings = testSettings + optimisation
let fastCSettings: [CSetting] = isForTests ? [.unsafeFlags(["-O2"])] : []

let package = Package(
  name: "FirstMile",
  platforms: [.macOS(.v26)],
  products: [
    .executable(name: "firstmile", targets: ["FirstMileCommand"]),
    // The front door: `import FirstMile` is enough.
    .library(name: "FirstMile", targets: ["FirstMile"]),
    // For apps that report events: no dependency.
    .library(name: "OnboardingEvents", targets: ["OnboardingEvents"]),
    .library(name: "FlowDefinition", targets: ["FlowDefinition"]),
    .library(name: "EventInput", targets: ["EventInput"]),
    .library(name: "Timelines", targets: ["Timelines"]),
    .library(name: "FlowDrafting", targets: ["FlowDrafting"]),
    .library(name: "FunnelEngine", targets: ["FunnelEngine"]),
    .library(name: "ExperimentStatistics", targets: ["ExperimentStatistics"]),
    .library(name: "FunnelMetrics", targets: ["FunnelMetrics"]),
    .library(name: "ReportFindings", targets: ["ReportFindings"]),
    .library(name: "FunnelReport", targets: ["FunnelReport"]),
    .library(name: "FirstMileSimulation", targets: ["FirstMileSimulation"]),
  ],
  traits: [
    .default(enabledTraits: ["ISAL"]),
    .trait(name: "ISAL", description: "Inflate gzip with ISA-L, about twice as fast as zlib."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/apple/swift-numerics", from: "1.1.1"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", .upToNextMinor(from: "0.27.1")),
  ],
  targets: [
    // In the order of the data: each target may import only what stands above it.
    .systemLibrary(
      name: "CFirstMileZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CFirstMileIsal", pkgConfig: "libisal",
      providers: [.apt(["libisal-dev"]), .brew(["isa-l"])]),
    .systemLibrary(
      name: "CFirstMileZstd", pkgConfig: "libzstd",
      providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    .systemLibrary(
      name: "CFirstMileArchive", pkgConfig: "libarchive",
      providers: [.apt(["libarchive-dev"]), .brew(["libarchive"])]),
    .systemLibrary(
      name: "CFirstMileBrotli", pkgConfig: "libbrotlidec",
      providers: [.apt(["libbrotli-dev"]), .brew(["brotli"])]),
    .systemLibrary(
      name: "CFirstMileCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .systemLibrary(
      name: "CFirstMileOpenSSL", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .systemLibrary(
      name: "CFirstMileXxhash", pkgConfig: "libxxhash",
      providers: [.apt(["libxxhash-dev"]), .brew(["xxhash"])]),
    .target(
      name: "FlowDefinition",
      dependencies: [
        .product(name: "Yams", package: "Yams"), "CFirstMileOpenSSL",
      ],
      // Symbolic links to flows/: the built-in flows need no file at run time.
      resources: [.embedInCode("BuiltIn/Flows")],
      swiftSettings: settings),
    .target(name: "CScanKernel", cSettings: fastCSettings),
    .target(name: "CFirstMileSignals"),
    // Threads, and work in pieces: what they do it knows nothing of.
    .target(name: "WorkerThreads", swiftSettings: fastSettings),
    .target(
      name: "EventInput",
      dependencies: [
        "WorkerThreads", "CScanKernel", "CFirstMileZlib", "CFirstMileZstd", "CFirstMileArchive",
        "CFirstMileBrotli",
        "CFirstMileCurl", "CFirstMileOpenSSL", "CFirstMileXxhash",
        .target(name: "CFirstMileIsal", condition: .when(traits: ["ISAL"])),
      ],
      swiftSettings: fastSettings),
    .target(
      name: "ExperimentStatistics",
      dependencies: [.product(name: "RealModule", package: "swift-numerics")],
      swiftSettings: fastSettings),
    .target(
      name: "Timelines",
      dependencies: ["WorkerThreads", "FlowDefinition", "EventInput", "ExperimentStatistics"],
      swiftSettings: fastSettings),
    // Flow files from events that nobody has described.
    .target(
      name: "FlowDrafting",
      dependencies: ["FlowDefinition", "EventInput", "ExperimentStatistics", "Timelines"],
      swiftSettings: fastSettings),
    .target(
      name: "FirstMileStore",
      dependencies: [
        "WorkerThreads", "FlowDefinition", "EventInput", "Timelines", "CFirstMileOpenSSL",
        .product(name: "GRDB", package: "GRDB.swift"),
      ], swiftSettings: fastSettings),
    .target(
      name: "FunnelEngine", dependencies: ["FlowDefinition", "Timelines"],
      swiftSettings: fastSettings),
    // Numbers, names and instants as people and files read them.
    .target(
      name: "ReportText", dependencies: ["FlowDefinition", "FunnelEngine", "ExperimentStatistics"],
      swiftSettings: fastSettings),
    // What a report says in numbers, written to metrics.json and read back.
    .target(
      name: "FunnelMetrics",
      dependencies: [
        "FlowDefinition", "FunnelEngine", "ExperimentStatistics", "ReportText",
        .product(name: "RealModule", package: "swift-numerics"),
      ],
      swiftSettings: fastSettings),
    // What stands out in them and how far the data can be trusted, in sentences.
    .target(
      name: "ReportFindings",
      dependencies: [
        "FlowDefinition", "FunnelEngine", "ExperimentStatistics", "ReportText", "FunnelMetrics",
      ],
      swiftSettings: settings),
    // Whether a report's numbers may pass.
    .target(
      name: "RegressionGate",
      dependencies: [
        "FlowDefinition", "FunnelEngine", "ExperimentStatistics", "ReportText", "FunnelMetrics",
      ],
      swiftSettings: settings),
    // The files of a report and the pages.
    .target(
      name: "FunnelReport",
      dependencies: [
        "FlowDefinition", "FunnelEngine", "ExperimentStatistics", "ReportText", "FunnelMetrics",
        "ReportFindings",
        .product(name: "Mustache", package: "swift-mustache"),
        .product(name: "RealModule", package: "swift-numerics"),
      ],
      // Templates, style sheet and script of report.html: one binary, no file at run time.
      resources: [.embedInCode("Rendering/HTML/Templates")],
      swiftSettings: fastSettings),
    .target(
      name: "FirstMileSimulation",
      dependencies: ["FlowDefinition", "CFirstMileZlib", "CFirstMileZstd"],
      swiftSettings: fastSettings),
    .target(name: "OnboardingEvents", swiftSettings: settings),
    .target(
      name: "FirstMile",
      dependencies: [
        "OnboardingEvents", "FlowDefinition", "EventInput", "Timelines", "FirstMileStore",
        "FunnelEngine", "ExperimentStatistics", "ReportText", "FunnelMetrics", "FunnelReport",
      ],
      // Not `Sources/FirstMile`: where file names know no case, that is the command's folder.
      path: "Sources/FirstMileLibrary", swiftSettings: settings),
    .target(
      name: "FirstMileCommands",
      dependencies: [
        "FirstMile",
        "CFirstMileSignals", "WorkerThreads", "FlowDefinition", "EventInput", "Timelines",
        "FlowDrafting", "FirstMileStore", "FunnelEngine", "ExperimentStatistics", "ReportText",
        "FunnelMetrics", "ReportFindings", "RegressionGate", "FunnelReport", "FirstMileSimulation",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ],
      // A symbolic link to spark/: the program brings its script.
      resources: [.embedInCode("Spark")], swiftSettings: settings),
    // Its `main`, which calls the library. Not called `firstmile`: nor do the names of modules know
    // case there.
    .executableTarget(
      name: "FirstMileCommand", dependencies: ["FirstMileCommands"], path: "Sources/firstmile",
      swiftSettings: settings),
    // The trivially right twin of the whole computation, and the reader of `.case` files.
    .target(
      name: "ReferenceEvaluator", dependencies: ["FlowDefinition"],
      path: "Tests/ReferenceEvaluator", swiftSettings: fastTestSettings),
    .testTarget(
      name: "FunnelEngineTests",
      dependencies: [
        "FlowDefinition", "EventInput", "Timelines", "FunnelEngine", "ExperimentStatistics",
        "ReportText", "FunnelMetrics", "RegressionGate", "FunnelReport", "ReferenceEvaluator",
      ], exclude: ["PostHog"], swiftSettings: fastTestSettings),
    .testTarget(
      name: "TimelinesTests",
      dependencies: [
        "FlowDefinition", "EventInput", "Timelines", "FunnelEngine", "FunnelMetrics",
        "ReportFindings", "FunnelReport", "FirstMileSimulation", "ReferenceEvaluator",
      ], swiftSettings: testSettings),
    .testTarget(
      name: "FlowDraftingTests",
      dependencies: [
        "FlowDrafting", "FlowDefinition", "EventInput", "Timelines", "FirstMileSimulation",
      ], swiftSettings: testSettings),
    .testTarget(
      name: "FirstMileStoreTests",
      dependencies: [
        "FlowDefinition", "EventInput", "Timelines", "FirstMileStore", "FunnelEngine",
        "FunnelMetrics", "FirstMileSimulation", "ReferenceEvaluator",
        .product(name: "GRDB", package: "GRDB.swift"),
      ], swiftSettings: testSettings),
    .testTarget(
      name: "ReferenceEvaluatorTests", dependencies: ["ReferenceEvaluator", "FlowDefinition"],
      swiftSettings: testSettings),
    .testTarget(
      name: "ExperimentStatisticsTests", dependencies: ["ExperimentStatistics"],
      resources: [.copy("References")],
      swiftSettings: testSettings),
    .testTarget(
      name: "FlowDefinitionTests", dependencies: ["FlowDefinition"], exclude: ["Cases"],
      swiftSettings: testSettings),
    .testTarget(
      name: "WorkerThreadsTests", dependencies: ["WorkerThreads"], swiftSettings: testSettings),
    .testTarget(
      name: "EventInputTests",
      dependencies: ["EventInput", "CScanKernel", "CFirstMileZlib", "CFirstMileZstd"],
      exclude: ["Fixtures"], swiftSettings: testSettings),
    .testTarget(
      name: "FunnelReportTests",
      dependencies: [
        "ReportText", "FunnelMetrics", "ReportFindings", "RegressionGate", "FunnelReport",
        "FunnelEngine", "Timelines", "EventInput", "FlowDefinition", "ExperimentStatistics",
      ],
      exclude: ["Golden"], swiftSettings: testSettings),
    .testTarget(
      name: "FirstMileSimulationTests",
      dependencies: ["FirstMileSimulation", "FlowDefinition", "CFirstMileZlib"],
      swiftSettings: testSettings),
    .testTarget(
      name: "OnboardingEventsTests", dependencies: ["OnboardingEvents"],
      swiftSettings: testSettings),
    .testTarget(
      name: "FirstMileLibraryTests",
      dependencies: ["FirstMile", "EventInput", "Timelines", "FirstMileStore"],
      swiftSettings: testSettings),
    .testTarget(
      name: "FirstMileCommandsTests",
      dependencies: [
        "FirstMileCommands", "WorkerThreads", "FlowDefinition", "EventInput", "FunnelEngine",
        "FirstMileSimulation",
        // Some run the program itself.
        "FirstMileCommand",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: testSettings),
    // Reads the code itself: style, imports, links.
    .testTarget(name: "HouseTests", swiftSettings: fastTestSettings),
  ]
)
