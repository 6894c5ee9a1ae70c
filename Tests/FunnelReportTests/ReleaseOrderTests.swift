@testable import FunnelMetrics
@testable import FunnelReport
import Testing

/// Releases stand in the order in which they came, not in that of their letters.
@Suite("Release order")
struct ReleaseOrderTests {
  @Test(arguments: [
    ["1.9", "1.10"], ["1.9.0", "1.10.0", "2.0.0"], ["2.0-beta", "2.0-rc1", "2.0", "2.0.1"],
    ["1.0", "1.0.0"], ["v1.2", "v1.12"],
    ["9", "10", "99999999999999999999", "100000000000000000000"],
    ["1.01", "1.2"], ["", "1"], ["build", "build 2"],
  ])
  func `numbers are compared as numbers`(names: [String]) {
    for shift in names.indices {
      let shuffled = Array(names[shift...] + names[..<shift])
      #expect(shuffled.sorted(by: ReleaseOrder.precedes) == names)
    }
  }
}
