import ArgumentParser
import FlowDefinition
import FunnelEngine
import Testing

@testable import FirstMileCommands

/// The funnel that options ask about.
@Suite struct FunnelOptionTests {
  private func flow() throws -> Flow {
    try FlowParser.parse(
      """
      flow: app
      window: 2d
      steps: [welcome, plan]
      dimensions: [{id: country, path: properties.country}]
      funnels: [{id: purchase, window: 3h, steps: [visit, buy]}]
      """, file: "app.yaml"
    ).flow
  }

  private func asked(_ words: String...) throws -> AskedFunnel {
    try FunnelOptions.parse(words).apply(to: flow())
  }

  @Test func `steps of the command line are one more funnel, with the flow's window`() throws {
    let plain = try asked("--steps", "visit > cart or basket > buy")
    #expect(plain.flow.funnels.count == 2 && plain.index == 1)
    #expect(plain.funnel.steps.map(\.anyOf.count) == [1, 2, 1])
    #expect(plain.funnel.windowMilliseconds == 48 * 3_600_000)
    let each = try asked("--steps", "visit > buy", "--within-step", "90m", "--exclude", "cancel")
    #expect(each.funnel.windowMilliseconds == 90 * 60_000)
    #expect(each.funnel.windowScope == .step)
    #expect(each.funnel.exclusions.map(\.pattern.event) == ["cancel"])
  }

  @Test func `a funnel of the flow keeps its place and what isn't asked otherwise`() throws {
    let own = try asked("--funnel", "purchase", "--entry", "best")
    #expect(own.flow.funnels.count == 1 && own.index == 0)
    #expect(own.funnel.windowMilliseconds == 3 * 3_600_000)
    #expect(own.funnel.entry == .best)
    #expect(throws: CommandError.self) { try asked("--funnel", "purchases") }
  }

  @Test func `windows are one, and longer than nothing`() {
    #expect(throws: (any Error).self) {
      try FunnelOptions.parse(["--steps", "a > b", "--within", "1h", "--within-step", "1h"])
    }
    for text in ["0h", "soon", "7"] {
      #expect(throws: CommandError.self, "\(text)") {
        try asked("--steps", "a > b", "--within", text)
      }
    }
  }

  @Test func `people are cut by what the flow knows of them`() throws {
    let flow = try flow()
    let cuts = try FunnelStudy.Breakdown.named(["country", "version"], in: flow)
    #expect(cuts == [.dimension(0), .version])
    #expect {
      try FunnelStudy.Breakdown.named(["city"], in: flow)
    } throws: {
      "\($0)" == "nothing to cut by is called 'city'; there are version, country"
    }
  }
}
