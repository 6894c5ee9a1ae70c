import Benchmark
import Foundation

/// CPU nanoseconds an event of each part of the data path, on one thread.
///
///     swift package benchmark
///
/// Each part gets what the part before it made, so a compressed scan and the parts below it add up
/// to the main job. A scan reads the file, hashes its bytes (XXH3, for provenance), inflates and
/// scans; plain text has no inflating but more bytes to hash.
let benchmarks: @Sendable () -> Void = {
  let cost = BenchmarkMetric.custom("CPU ns an event", polarity: .prefersSmaller)
  Benchmark.defaultConfiguration = .init(
    metrics: [cost], warmupIterations: 1, maxDuration: .seconds(20), maxIterations: 7)

  let material: Material
  do {
    material = try Material(persons: 60_000)
  } catch {
    FileHandle.standardError.write(Data("no material: \(error)\n".utf8))
    return
  }

  Benchmark("inflate with ISA-L alone") { benchmark in
    let files = try material.gzipFiles()
    let watch = Stopwatch()
    for file in files { blackHole(Inflation.inflate(file)) }
    benchmark.measurement(cost, watch.nanoseconds(each: material.eventCount))
  }

  for compression in Material.compressions {
    Benchmark("scan \(compression)") { benchmark in
      let watch = Stopwatch()
      blackHole(try material.scan(compression) { _ in })
      benchmark.measurement(cost, watch.nanoseconds(each: material.eventCount))
    }
  }

  Benchmark("encode and intern") { benchmark in
    let watch = Stopwatch()
    blackHole(try material.collect())
    benchmark.measurement(cost, watch.nanoseconds(each: material.eventCount))
  }

  Benchmark("stitch, gather, sort, drop repetitions") { benchmark in
    let collector = try material.collect()
    let watch = Stopwatch()
    blackHole(try material.gather(try await material.build(collector)))
    benchmark.measurement(cost, watch.nanoseconds(each: material.eventCount))
  }

  Benchmark("gather and evaluate") { benchmark in
    let timelines = try await material.build(material.collect())
    let watch = Stopwatch()
    blackHole(try await material.evaluate(timelines))
    benchmark.measurement(cost, watch.nanoseconds(each: material.eventCount))
  }

  Benchmark("read gzip, all in memory") { benchmark in
    let watch = Stopwatch()
    blackHole(try await material.read(memoryBytes: nil))
    benchmark.measurement(cost, watch.nanoseconds(each: material.eventCount))
  }

  Benchmark("read gzip, most spilled and read back") { benchmark in
    let watch = Stopwatch()
    blackHole(try await material.read(memoryBytes: 16 << 20))
    benchmark.measurement(cost, watch.nanoseconds(each: material.eventCount))
  }

  let documents = BenchmarkMetric.custom("CPU microseconds", polarity: .prefersSmaller)
  Benchmark("statistics", configuration: .init(metrics: [documents])) { benchmark in
    let tally = try await material.evaluate(material.build(material.collect()))
    let watch = Stopwatch()
    blackHole(material.analyse(tally))
    benchmark.measurement(documents, watch.nanoseconds(each: 1000))
  }

  Benchmark("documents", configuration: .init(metrics: [documents])) { benchmark in
    let tally = try await material.evaluate(material.build(material.collect()))
    let report = material.report(material.analyse(tally))
    let watch = Stopwatch()
    blackHole(report.documents())
    benchmark.measurement(documents, watch.nanoseconds(each: 1000))
  }
}
