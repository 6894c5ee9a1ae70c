import Testing

@testable import ExperimentStatistics

/// Against scipy 1: `scipy.stats.t.cdf` and `.ppf`.
@Suite struct StudentDistributionTests {
  private static let points = [-12.5, -3.1, -1, -0.2, 0.7, 2.05, 6]
  private static let shares = [0.0001, 0.0125, 0.05, 0.3, 0.975]
  private static let cumulative: [(degrees: Int, values: [Double])] = [
    (
      1,
      [
        0.0254106736661159, 0.0993260921991185, 0.25, 0.437167041810999, 0.694400112214215,
        0.855536967530492, 0.947431543288747,
      ]
    ),
    (
      2,
      [
        0.00316960405177234, 0.0451003650650944, 0.211324865405187, 0.4299859957986,
        0.721803487683567, 0.911566937220397, 0.986664263392288,
      ]
    ),
    (
      3,
      [
        0.000551815665548029, 0.026647772307168, 0.195501109477885, 0.427135164623139,
        0.732836500847618, 0.93361798127893, 0.995363642553858,
      ]
    ),
    (
      7,
      [
        2.4162090115905e-06, 0.00866114471274876, 0.175308331410104, 0.423583375744899,
        0.7467412239022, 0.960234803256732, 0.999728870828999,
      ]
    ),
    (
      21,
      [
        1.70866639965168e-11, 0.00271151054449483, 0.164347341618232, 0.421702327883136,
        0.754195030393877, 0.973471462764284, 0.999997044754609,
      ]
    ),
    (
      48,
      [
        5.24165644523281e-17, 0.0016171128478364, 0.161162609260558, 0.421162757110348,
        0.756346862653791, 0.977075853531402, 0.999999874633452,
      ]
    ),
  ]
  private static let quantiles: [(degrees: Int, values: [Double])] = [
    (
      1,
      [
        -3183.09875711815, -25.4516995793571, -6.31375151467504, -0.726542528005361,
        12.7062047361747,
      ]
    ),
    (
      2,
      [
        -70.7000710749643, -6.20534681657069, -2.91998558035373, -0.617213399848368,
        4.30265272974946,
      ]
    ),
    (
      3,
      [
        -22.2037422732042, -4.1765348461045, -2.35336343480182, -0.584389727439819,
        3.18244630528371,
      ]
    ),
    (
      7,
      [
        -7.06343282815751, -2.84124424858821, -1.89457860509001, -0.549109657947285,
        2.36462425159278,
      ]
    ),
    (
      21,
      [-4.49286013134798, -2.413845016599, -1.72074290281188, -0.532455147014497, 2.07961384472768]
    ),
    (
      48,
      [
        -4.02722012515757, -2.31389913195133, -1.67722419612434, -0.527901179143494,
        2.01063475762423,
      ]
    ),
  ]

  @Test func `tails are scipy's`() {
    for (degrees, values) in Self.cumulative {
      let student = StudentDistribution(degreesOfFreedom: degrees)
      for (point, value) in zip(Self.points, values) {
        #expect(abs(student.cumulative(point) - value) < 2e-15, "\(degrees) \(point)")
      }
    }
  }

  @Test func `quantiles are scipy's`() {
    for (degrees, values) in Self.quantiles {
      let student = StudentDistribution(degreesOfFreedom: degrees)
      for (share, value) in zip(Self.shares, values) {
        #expect(abs(student.quantile(share) / value - 1) < 1e-9, "\(degrees) \(share)")
      }
    }
  }

  @Test func `many degrees are the normal distribution`() {
    let student = StudentDistribution(degreesOfFreedom: 3_000)
    #expect(abs(student.cumulative(-1.96) - NormalDistribution.cumulative(-1.96)) < 1e-4)
  }
}
