import FlowDefinition
import Testing

/// Parses a flow file of steps a, b, c and some more lines.
func parsedFlow(_ lines: String) throws -> Flow {
  try FlowParser.parse("flow: x\nsteps: [a, b, c]\n" + lines, file: "x.yaml").flow
}

@Suite struct GrammarTests {
  @Test func `a minimal file has every default`() throws {
    var expected = Flow(id: "x", steps: [Step(id: "a"), Step(id: "b"), Step(id: "c")])
    #expect(try parsedFlow("") == expected)
    expected.title = "T"
    #expect(try parsedFlow("title: T\n") == expected)
  }

  @Test func `where attempts begin and what is counted`() throws {
    let flow = try parsedFlow(
      "new_attempt_after: 7d\ncount: attempts\nhistory: 60d\nstitch_within: 12h")
    #expect(flow.newAttemptAfterMilliseconds == 604_800_000)
    #expect(flow.counting == .attempts)
    #expect(flow.historyMilliseconds == 5_184_000_000)
    #expect(flow.stitchWithinMilliseconds == 43_200_000)
    let never = try parsedFlow("new_attempt_after: never\nhistory: 24h")
    #expect(never.newAttemptAfterMilliseconds == nil)
    #expect(never.historyMilliseconds == 86_400_000)
  }

  @Test func `settings of one value`() throws {
    let flow = try parsedFlow(
      """
      window: 7d
      identity: device
      existing_users: include
      skip: {leads_to: c}
      counts_from: 0
      expected_total: [2m, 3m]
      day: calendar
      time_zone: Europe/Berlin
      not_activity: [push, renewed]
      """)
    #expect(flow.windowMilliseconds == 604_800_000)
    #expect(flow.identity == .device)
    #expect(flow.existingUsers == .include)
    #expect(flow.skip == .leadsTo(step: 2))
    #expect(flow.countsFrom == 0)
    #expect(flow.expectedTotalMilliseconds == 120_000...180_000)
    #expect(flow.day == .calendar)
    #expect(flow.timeZone == "Europe/Berlin")
    #expect(flow.notActivity == ["push", "renewed"])
    #expect(try parsedFlow("skip: ends\nday: 24h").day == .hours24)
    #expect(try parsedFlow("expected_total: 90s").expectedTotalMilliseconds == 90_000...90_000)
  }

  @Test func `steps with every key, also in versions and variants`() throws {
    let flow = try FlowParser.parse(
      """
      flow: x
      steps:
        - {id: plan, title: Plan, expected: 500ms, asks: camera}
        - {id: premium, branch_of: plan, optional: true}
        - done
      versions:
        one: [plan, {id: old, title: Old}, done]
      experiments:
        e:
          control: p
          variants: [p, q, r]
          steps: {q: [plan, {id: extra}, old]}
      """, file: "x.yaml"
    ).flow
    #expect(
      flow.steps == [
        Step(id: "plan", title: "Plan", expectedMilliseconds: 500, asks: ["camera"]),
        Step(id: "premium", branchOf: 0, isOptional: true), Step(id: "done"),
        Step(id: "old", title: "Old"), Step(id: "extra"),
      ])
    #expect(flow.defaultList == [0, 1, 2])
    #expect(flow.versions == [VersionList(name: "one", steps: [0, 3, 2])])
    #expect(flow.newestVersion == nil)
    #expect(flow.permissions == ["camera"])
    let third = 1.0 / 3
    #expect(
      flow.experiments == [
        Experiment(
          id: "e",
          variants: [
            Variant(id: "p", share: third), Variant(id: "q", share: third, steps: [0, 4, 3]),
            Variant(id: "r", share: third),
          ], control: 0)
      ])
  }

  @Test func `the newest version is one above the highest integer, or as named`() throws {
    #expect(try parsedFlow("versions: {1: [a], 3: [b]}").newestVersion == "4")
    #expect(try parsedFlow("versions: {\"1\": [a]}").newestVersion == "2")
    #expect(try parsedFlow("versions: {1.10: [a]}").newestVersion == nil)
    #expect(try parsedFlow("versions: {1.10: [a]}").versions.first?.name == "1.10")
    #expect(try parsedFlow("version: 2026-01\nversions: {1: [a]}").newestVersion == "2026-01")
    #expect(try parsedFlow("").newestVersion == nil)
  }

  @Test func `experiments with every key`() throws {
    let flow = try parsedFlow(
      """
      experiments:
        e: {control: q, split: {p: 33.33%, q: 33.33 %, r: 33.33%}, sequential: true}
        f: {control: p, split: {p: 90%, q: 10%}, contaminated: exclude}
        g:
          control: p
          splits:
            - {from: 2026-03-29, p: 90%, q: 10%}
            - {from: 2026-03-30T10:00:00.250Z, q: 50%, p: 50%}
          end: 2026-10-01
          exposure: {event: seen, where: {kind: new}}
        h: {control: p, variants: [p, q], start: 2026-01-01, end: 2026-01-02}
      time_zone: Europe/Berlin
      """)
    #expect(flow.experiments.map(\.id) == ["e", "f", "g", "h"])
    #expect(flow.experiments[0].control == 1)
    #expect(flow.experiments[0].isSequential)
    #expect(flow.experiments[0].contaminated == .first)
    #expect(flow.experiments[0].variants.allSatisfy { abs($0.share - 1 / 3) < 1e-12 })
    #expect(flow.experiments[1].contaminated == .exclude)
    #expect(flow.experiments[1].variants.map(\.share) == [0.9, 0.1])
    let ramp = flow.experiments[2]
    // 2026-03-29 and 2026-10-01, 00:00 in Berlin: winter time on the first, summer on the second.
    #expect(ramp.periods.map(\.startMilliseconds) == [1_774_738_800_000, 1_774_864_800_250])
    #expect(ramp.periods.map(\.shares) == [[0.9, 0.1], [0.5, 0.5]])
    #expect(ramp.startMilliseconds == ramp.periods[0].startMilliseconds)
    #expect(ramp.endMilliseconds == 1_790_805_600_000)
    #expect(ramp.exposure?.conditions.first?.values == ["new"])
    #expect([0, 1_774_738_800_000, 1_774_864_800_250].map(ramp.period) == [nil, 0, 1])
    #expect(ramp.period(at: 1_790_805_600_000) == nil)
    #expect(flow.experiments[3].startMilliseconds == 1_767_222_000_000)
    #expect(try FlowParser.parse(flow.fileText, file: "again.yaml").flow == flow)
  }

  @Test func `goals and friction with every key`() throws {
    let flow = try parsedFlow(
      """
      window: 2h
      goals:
        - id: paid
          title: Paid
          event: purchase
          where: {status: [ok, restored], trial: false, price: 9.50, code: "9.50"}
          by: product
          of: {viewed: b}
          within: 7d
          anchor: {goal: tried}
        - {id: tried, event: trial_started, anchor: {event: installed, where: {first: true}}}
        - {id: seen, event: seen, anchor: entry}
      friction: [{id: f, title: F, event: failed, where: {code: 3}, step: c}]
      """)
    #expect(
      flow.goals == [
        Goal(
          id: "paid", title: "Paid",
          pattern: EventPattern(
            event: "purchase",
            conditions: [
              PropertyCondition(property: "status", values: ["ok", "restored"]),
              PropertyCondition(property: "trial", values: ["false"]),
              PropertyCondition(property: "price", values: ["9.5"]),
              PropertyCondition(property: "code", values: ["9.50"]),
            ]),
          withinMilliseconds: 604_800_000, by: "product", ofViewedStep: 1, anchor: .goal(1)),
        Goal(
          id: "tried", pattern: EventPattern(event: "trial_started"),
          withinMilliseconds: 7_200_000,
          anchor: .event(
            EventPattern(
              event: "installed",
              conditions: [PropertyCondition(property: "first", values: ["true"])]))),
        Goal(id: "seen", pattern: EventPattern(event: "seen"), withinMilliseconds: 7_200_000),
      ])
    #expect(
      flow.friction == [
        Friction(
          id: "f", title: "F",
          pattern: EventPattern(
            event: "failed", conditions: [PropertyCondition(property: "code", values: ["3"])]),
          step: 2)
      ])
  }

  @Test func `only true and false are booleans`() throws {
    let flow = try parsedFlow(
      "goals: [{id: g, event: e, where: {a: [yes, NO, on, True, 'true', -3, 1e3, 0x10, 007]}}]")
    #expect(
      flow.goals[0].pattern.conditions[0].values
        == ["yes", "NO", "on", "true", "true", "-3", "1e3", "0x10", "7"])
  }

  @Test func `retention in its three shapes`() throws {
    let flow = try parsedFlow(
      """
      goals: [{id: g, event: e}]
      retention:
        - {on_or_after: [1, 60]}
        - {days: [1, 30]}
        - {days: 7, id: paying, event: paid, where: {ok: true}}
        - {on_or_after: 7, until: 31}
        - {bracket: [80, 110], event: e, anchor: {goal: g}}
        - {bracket: [0, 6], event: e}
      """)
    let event = EventPattern(event: "e")
    #expect(
      flow.retention == [
        RetentionMeasure(id: "on_or_after_d1", window: .onOrAfter(1, until: 31)),
        RetentionMeasure(id: "on_or_after_d60", window: .onOrAfter(60, until: 61)),
        RetentionMeasure(id: "d1", window: .day(1)),
        RetentionMeasure(id: "d30", window: .day(30)),
        RetentionMeasure(
          id: "paying_d7", window: .day(7),
          pattern: EventPattern(
            event: "paid", conditions: [PropertyCondition(property: "ok", values: ["true"])])),
        RetentionMeasure(id: "on_or_after_d7", window: .onOrAfter(7, until: 31)),
        RetentionMeasure(
          id: "d80_110", window: .bracket(80, 110), pattern: event, anchor: .goal(0)),
        RetentionMeasure(id: "d0_6", window: .bracket(0, 6), pattern: event),
      ])
  }

  @Test func `funnels with every key`() throws {
    let flow = try parsedFlow(
      """
      window: 2h
      funnels:
        - {id: plain, steps: [p, q]}
        - id: full
          within: 7d
          window_per: step
          order: strict
          entry: best
          steps:
            - p
            - {event: q, where: {a: b}, optional: true}
            - {any: [r, {event: s, where: {c: d}}]}
          exclude:
            - {event: cancel, between: [2, 3], effect: drop}
            - {event: refund, where: {full: true}}
      """)
    let conditions = [PropertyCondition(property: "a", values: ["b"])]
    #expect(flow.funnels.count == 2)
    #expect(
      flow.funnels[0]
        == CustomFunnel(
          id: "plain",
          steps: ["p", "q"].map { FunnelStep(anyOf: [EventPattern(event: $0)]) },
          windowMilliseconds: 7_200_000))
    #expect(flow.funnels[1].windowMilliseconds == 604_800_000)
    #expect(flow.funnels[1].windowScope == .step)
    #expect(flow.funnels[1].order == .strict)
    #expect(flow.funnels[1].entry == .best)
    #expect(
      flow.funnels[1].steps[1]
        == FunnelStep(
          anyOf: [EventPattern(event: "q", conditions: conditions)], isOptional: true))
    #expect(flow.funnels[1].steps[2].anyOf.map(\.event) == ["r", "s"])
    #expect(
      flow.funnels[1].exclusions[0]
        == FunnelExclusion(
          pattern: EventPattern(event: "cancel"), from: 2, to: 3, effect: .drop))
    #expect(flow.funnels[1].exclusions[1].from == 1)
    #expect(flow.funnels[1].exclusions[1].to == 3)
    #expect(flow.funnels[1].exclusions[1].effect == .remove)
  }

  @Test func `dimensions, event names and fields`() throws {
    let flow = try parsedFlow(
      """
      dimensions: [os, {id: motion, path: context.a.b, known: entry}, {id: locale, known: later}]
      events: {"Page Viewed": onboarding_page_viewed}
      fields:
        page_name: properties.page
        status: {path: properties.result, values: {authorized: granted, 1: denied}}
        flow: {constant: x}
        timestamp: {time_zone: Europe/Berlin, date_order: day_first}
      """)
    #expect(
      flow.dimensions == [
        Dimension(id: "os", path: "context.os"), Dimension(id: "motion", path: "context.a.b"),
        Dimension(id: "locale", path: "context.locale", isKnownLater: true),
      ])
    #expect(flow.dimensionsAtEntry == [0, 1])
    #expect(flow.eventNames == [NameMapping(from: "Page Viewed", to: "onboarding_page_viewed")])
    #expect(
      flow.fields == [
        FieldMapping(field: "page_name", path: "properties.page"),
        FieldMapping(
          field: "status", path: "properties.result",
          values: [
            NameMapping(from: "authorized", to: "granted"), NameMapping(from: "1", to: "denied"),
          ]),
        FieldMapping(field: "flow", path: nil, constant: "x"),
        FieldMapping(
          field: "timestamp", path: nil, timeZone: "Europe/Berlin", dateOrder: .dayFirst),
      ])
  }

  @Test func `targets with every key`() throws {
    let flow = try parsedFlow(
      """
      versions: {1: [a]}
      experiments: {e: {control: p, variants: [p, q]}}
      goals: [{id: g, event: e, by: kind}]
      permissions: [camera]
      dimensions: [os]
      retention: [{days: [7]}]
      funnels: [{id: f, steps: [p, q]}]
      friction: [{id: oops, event: failed}]
      targets:
        - {metric: completion_rate, at_least: 80%}
        - {metric: time_to_complete_p50, at_most: 3m, version: 2, breakdown: used_skip=no}
        - {metric: lift_retention_d7, variant: q, at_least: -2.5%}
        - {metric: completion_rate, experiment: e, variant: p, at_least: 0.5}
        - {metric: goal_rate, goal: "g:big", at_least: 1%}
        - {metric: permission_opt_in, permission: camera, at_least: 1%}
        - {metric: step_reach, step: b, at_least: 1%}
        - {metric: funnel_step, funnel: "f:2", at_least: 1%}
        - {metric: friction_rate, friction: oops, at_most: 1%}
        - {metric: observational_lift_stratified_retention_d7, at_least: 1%}
        - {metric: srm_p, experiment: e, variant: q, at_least: 0.001}
        - {metric: skip_share, step: (unknown), at_most: 5%}
      """)
    #expect(flow.targets.count == 12)
    #expect(flow.targets[0] == Target(metric: .completionRate, bound: .atLeast(0.8)))
    #expect(
      flow.targets[1]
        == Target(
          metric: .timeToComplete.percentile(50),
          slice: [
            NameMapping(from: "version", to: "2"),
            NameMapping(from: "breakdown", to: "used_skip=no"),
          ], bound: .atMost(180)))
    #expect(
      flow.targets[2]
        == Target(
          metric: .retention(day: 7).compared(by: .lift),
          slice: [
            NameMapping(from: "experiment", to: "e"), NameMapping(from: "variant", to: "q"),
          ], bound: .atLeast(-0.025)))
    #expect(
      flow.targets[3].slice
        == flow.targets[2].slice.map { pair in
          pair.from == "variant" ? NameMapping(from: "variant", to: "p") : pair
        })
    #expect(
      flow.targets.map(\.step).prefix(9) == [
        "", "", "", "", "g:big", "camera", "b", "f:2", "oops",
      ])
  }

  @Test(
    arguments: [
      ("500ms", 500), ("15s", 15_000), ("2m", 120_000), ("24h", 86_400_000), ("7d", 604_800_000),
      ("90m", 5_400_000), ("72h", 259_200_000), ("3650d", 315_360_000_000),
    ] as [(String, Int64)])
  func `durations read, and print as they read`(text: String, milliseconds: Int64) {
    #expect(DurationText.milliseconds(text) == milliseconds)
    #expect(DurationText.milliseconds(DurationText.format(milliseconds)) == milliseconds)
  }

  @Test(arguments: ["", "h", "24", "1h30m", "1.5h", "-1h", "24H", " 24h", "9999999999999999999d"])
  func `what is no duration`(text: String) {
    #expect(DurationText.milliseconds(text) == nil)
  }
}
