import ArgumentParser

/// A share given on the command line: `5%`, or `0.05`.
struct Share: ExpressibleByArgument, CustomStringConvertible {
  let fraction: Double

  init(_ fraction: Double) { self.fraction = fraction }

  init?(argument: String) {
    let isPercent = argument.hasSuffix("%")
    guard let number = Double(isPercent ? String(argument.dropLast()) : argument),
      (0...1).contains(isPercent ? number / 100 : number)
    else { return nil }
    fraction = isPercent ? number / 100 : number
  }

  var description: String { "\(fraction)" }
  var defaultValueDescription: String { "\(fraction * 100)%" }
}
