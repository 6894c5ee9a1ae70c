import Testing

@testable import FirstMileCommands

/// What a wrong command line is answered with.
@Suite struct CommandLineSpellingTests {
  private func mistake(_ words: String...) -> String? { CommandLineSpelling(words).mistake }

  @Test func `a misspelt command is named with the nearest one`() {
    #expect(
      mistake("reprot", "dumps")
        == "there is no command 'firstmile reprot'; did you mean 'report'?")
    #expect(
      mistake("help", "store", "forgte")
        == "there is no command 'firstmile store forgte'; did you mean 'forget'?")
    let all = mistake("xylophone") ?? ""
    #expect(all.hasPrefix("there is no command 'firstmile xylophone'; there are start, report, "))
  }

  @Test func `a misspelt option is named with the nearest, or with the only one that it begins`() {
    #expect(
      mistake("report", "dumps", "--flwo", "aiq")
        == "'firstmile report' has no option '--flwo'; did you mean '--flow'?")
    #expect(
      mistake("report", "dumps", "--flwo=aiq")
        == "'firstmile report' has no option '--flwo'; did you mean '--flow'?")
    #expect(
      mistake("report", "--endpoint", "x")
        == "'firstmile report' has no option '--endpoint'; did you mean '--endpoint-url'?")
    #expect(
      mistake("report", "--xylophone")
        == "'firstmile report' has no option '--xylophone'; "
        + "`firstmile report --help` lists those that it has")
  }

  @Test func `what is no option isn't taken for a misspelt one`() {
    let right = ["report", "-", "--flow=aiq", "-q", "--threads", "-1", "--", "--flwo"]
    #expect(CommandLineSpelling(right).mistake == nil)
    #expect(CommandLineSpelling([]).mistake == nil)
  }

  @Test func `a negative number is joined to an option that takes a value, and to nothing else`() {
    #expect(
      CommandLineSpelling(["report", "--threads", "-1", "dumps"]).withJoinedNumbers
        == ["report", "--threads=-1", "dumps"])
    for words in [["report", "--quiet", "-1"], ["report", "dumps", "-.5"], ["report", "-q"]] {
      #expect(CommandLineSpelling(words).withJoinedNumbers == words)
    }
  }

  @Test func `a value that isn't allowed is answered with the nearest that is`() {
    let sentence =
      "The value 'wek' is invalid for '--by <by>'. Please provide one of 'day', 'week' or 'month'."
    #expect(
      CommandLineSpelling.withNearestValue(sentence) == sentence + "\nDid you mean 'week'?")
    let list = """
      The value 'sqlit' is invalid for '--tables <tables>'. Please provide one of the following:
        - sqlite
        - parquet
      """
    #expect(
      CommandLineSpelling.withNearestValue(list + "\nUsage: firstmile")
        == list + "\nDid you mean 'sqlite'?\nUsage: firstmile")
    for other in ["The value '3x' is invalid for '--within <within>'", "no flow: 'wek'", ""] {
      #expect(CommandLineSpelling.withNearestValue(other) == other)
    }
  }
}
