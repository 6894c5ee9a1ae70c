import Testing

/// Data flows one way: a target imports only what stands before it.
@Suite struct ImportTests {
  /// The targets of this package that each target may import, in the order of the data.
  private static let allowed: [String: Set<String>] = [
    "FlowDefinition": ["CFirstMileOpenSSL"],
    "WorkerThreads": [],
    "EventInput": [
      "WorkerThreads",
      "CFirstMileZlib", "CFirstMileIsal", "CFirstMileZstd", "CFirstMileArchive", "CFirstMileBrotli",
      "CFirstMileCurl", "CFirstMileOpenSSL", "CFirstMileXxhash", "CScanKernel",
    ],
    "ExperimentStatistics": [],
    "Timelines": ["WorkerThreads", "FlowDefinition", "EventInput", "ExperimentStatistics"],
    "FlowDrafting": ["FlowDefinition", "EventInput", "ExperimentStatistics", "Timelines"],
    "FirstMileStore": [
      "WorkerThreads", "FlowDefinition", "EventInput", "Timelines", "CFirstMileOpenSSL",
    ],
    "FunnelEngine": ["FlowDefinition", "EventInput", "Timelines"],
    "ReportText": ["FlowDefinition", "FunnelEngine", "ExperimentStatistics"],
    "FunnelMetrics": ["FlowDefinition", "FunnelEngine", "ExperimentStatistics", "ReportText"],
    "ReportFindings": [
      "FlowDefinition", "FunnelEngine", "ExperimentStatistics", "ReportText", "FunnelMetrics",
    ],
    "RegressionGate": [
      "FlowDefinition", "FunnelEngine", "ExperimentStatistics", "ReportText", "FunnelMetrics",
    ],
    "FunnelReport": [
      "FlowDefinition", "FunnelEngine", "ExperimentStatistics", "ReportText", "FunnelMetrics",
      "ReportFindings",
    ],
    "FirstMileSimulation": ["FlowDefinition", "CFirstMileZlib", "CFirstMileZstd"],
    "OnboardingEvents": [],
    "FirstMileLibrary": [
      "OnboardingEvents", "FlowDefinition", "EventInput", "Timelines", "FirstMileStore",
      "FunnelEngine", "ExperimentStatistics", "ReportText", "FunnelMetrics", "FunnelReport",
    ],
    "FirstMileCommands": [
      "FirstMile",
      "CFirstMileSignals", "WorkerThreads", "FlowDefinition", "EventInput", "Timelines",
      "FlowDrafting", "FirstMileStore", "FunnelEngine", "ExperimentStatistics", "ReportText",
      "FunnelMetrics", "ReportFindings", "RegressionGate", "FunnelReport", "FirstMileSimulation",
    ],
    "firstmile": ["FirstMileCommands"],
  ]

  /// What comes with Swift, and the packages that each target is built on.
  private static let foreign: [String: Set<String>] = [
    "FlowDefinition": ["Yams"], "FirstMileStore": ["GRDB"], "ExperimentStatistics": ["RealModule"],
    "FunnelMetrics": ["RealModule"], "FunnelReport": ["RealModule", "Mustache"],
    "FirstMileCommands": ["ArgumentParser", "FlyingFox", "FlyingSocks"],
  ]
  private static let platform: Set<String> = [
    "Foundation", "FoundationEssentials", "Dispatch", "Synchronization", "Glibc", "Darwin", "Musl",
  ]

  @Test func `each target imports only what stands before it`() throws {
    var seen: Set<String> = []
    for file in try SourceTree.swiftFiles(in: "Sources") {
      let target = file.target
      let own = try #require(Self.allowed[target], "\(file): which place has \(target)?")
      seen.insert(target)
      let known = own.union(Self.foreign[target] ?? []).union(Self.platform)
      for module in imports(of: file) {
        #expect(known.contains(module), "\(file) imports \(module)")
      }
    }
    #expect(seen == Set(Self.allowed.keys))
  }

  @Test func `statistics know nothing of files or clocks`() throws {
    for file in try SourceTree.swiftFiles(in: "Sources/ExperimentStatistics") {
      #expect(imports(of: file).allSatisfy { $0 == "RealModule" }, "\(file)")
    }
  }

  @Test func `apps that report events need nothing but the language`() throws {
    let system: Set<String> = ["Glibc", "Musl", "Darwin"]
    for file in try SourceTree.swiftFiles(in: "Sources/OnboardingEvents") {
      #expect(imports(of: file).allSatisfy(system.contains), "\(file)")
    }
  }

  private func imports(of file: SourceTree.File) -> [String] {
    SwiftText(file.text).lines.compactMap { line in
      let words = line.split(separator: " ")
      guard let keyword = words.firstIndex(of: "import") else { return nil }
      let levels: Set<Substring> = [
        "public", "internal", "private", "package", "@testable", "@preconcurrency", "@_exported",
      ]
      guard words[..<keyword].allSatisfy(levels.contains) else { return nil }
      // `import struct Foundation.Data` names its module after the kind.
      return words[(keyword + 1)...].last.map { String($0.split(separator: ".")[0]) }
    }
  }
}
