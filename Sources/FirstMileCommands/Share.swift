import ArgumentParser

/// A share given on the command line: `5%`, or `0.05`.
struct Share: ExpressibleByArgument, CustomStringConvertible {
  let fraction: Double

  init(_ fraction: Double) { self.fraction = fraction }

  /// The text of an option's value.
  ///
  /// - Throws: `ValidationError` with what is allowed.
  static func parse(_ text: String) throws -> Share {
    guard let share = Share(argument: text) else {
      throw ValidationError("allowed are shares from 0 to 1, or 0% to 100%")
    }
    // A 1 may be meant as one in a hundred.
    if share.fraction == 1, !text.hasSuffix("%") {
      Console.message("\(text) is 100%, so everything is accepted; 1% is one in a hundred")
    }
    return share
  }

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
