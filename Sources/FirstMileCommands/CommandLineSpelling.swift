import ArgumentParser
import FlowDefinition
import Foundation

/// The words of a command line held against the commands and options that there are.
///
/// ArgumentParser names a misspelt option only where nothing else is wrong (`--flwo aiq` is
/// reported as a missing `--flow`), a misspelt command never, and takes `-1` for an option.
struct CommandLineSpelling {
  private struct Option {
    var name: String
    var takesValue: Bool
  }

  private let words: [String]

  init(_ words: [String]) { self.words = words }

  /// The words with negative numbers joined to their options (`--threads=-1`), so that the option
  /// itself can say what is allowed.
  var withJoinedNumbers: [String] {
    guard words.contains(where: Self.isNegativeNumber) else { return words }
    let takingValues = Set(Self.options(of: walk().command).filter(\.takesValue).map(\.name))
    var joined: [String] = []
    for word in words {
      if Self.isNegativeNumber(word), let option = joined.last, takingValues.contains(option) {
        joined[joined.count - 1] = "\(option)=\(word)"
      } else {
        joined.append(word)
      }
    }
    return joined
  }

  /// What is misspelt, with the nearest right word; `nil` where every command and option is one.
  var mistake: String? {
    let (command, path, rest) = walk()
    let known = command.configuration.subcommands.map(Self.name)
    if let word = rest.first, !known.isEmpty, !word.hasPrefix("-") {
      let near = NearestSpelling.of(word, among: known).map { "did you mean '\($0)'?" }
      return "there is no command '\(path) \(word)'; "
        + (near ?? "there are \(known.joined(separator: ", "))")
    }
    let names = Self.options(of: command).map(\.name)
    for word in rest.prefix(while: { $0 != "--" }) where Self.looksLikeOption(word) {
      let name = String(word.prefix { $0 != "=" })
      if names.contains(name) { continue }
      let beginnings = names.filter { $0.hasPrefix(name) }
      let near =
        beginnings.count == 1 ? beginnings[0] : NearestSpelling.of(name, among: names)
      return "'\(path)' has no option '\(name)'; "
        + (near.map { "did you mean '\($0)'?" } ?? "`\(path) --help` lists those that it has")
    }
    return nil
  }

  /// What ArgumentParser says of a value that is none of those allowed, with the nearest of them.
  static func withNearestValue(_ message: String) -> String {
    var lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let first = lines.first, first.hasPrefix("The value '"),
      let word = first.dropFirst("The value '".count).split(separator: "'").first
    else { return message }
    // One a line, or in the sentence: "one of 'day', 'week' or 'month'".
    let listed = lines.dropFirst().prefix { $0.hasPrefix("  - ") }.map { String($0.dropFirst(4)) }
    let sentences = first.components(separatedBy: "one of ")
    // Other values, such as durations, are of no list.
    let quoted = sentences.count > 1 ? sentences[1].split(separator: "'").map(String.init) : []
    let allowed = listed.isEmpty ? quoted : listed
    guard let near = NearestSpelling.of(String(word), among: allowed) else { return message }
    lines[listed.count] += "\nDid you mean '\(near)'?"
    return lines.joined(separator: "\n")
  }

  /// Follows the commands as far as they are right.
  private func walk() -> (
    command: any ParsableCommand.Type, path: String, rest: ArraySlice<String>
  ) {
    var command: any ParsableCommand.Type = FirstMile.self
    var (path, rest) = ("firstmile", words[...])
    if rest.first == "help" { rest.removeFirst() }
    while let word = rest.first,
      let next = command.configuration.subcommands.first(where: { Self.name($0) == word })
    {
      command = next
      path += " \(word)"
      rest.removeFirst()
    }
    return (command, path, rest)
  }

  private static func name(_ command: any ParsableCommand.Type) -> String {
    command.configuration.commandName ?? String(describing: command).lowercased()
  }

  /// As the command's help lists them, where alone ArgumentParser gives them: two spaces, then
  /// `-h, --help` or `--flow <flow>`.
  private static func options(of command: any ParsableCommand.Type) -> [Option] {
    let help = FirstMile.helpMessage(for: command, columns: 200)
    var options: [Option] = []
    for line in help.split(separator: "\n") where line.hasPrefix("  -") {
      let words = line.split(separator: " ", maxSplits: 3).map(String.init)
      for (index, word) in words.enumerated() where word.hasPrefix("-") {
        let value = index + 1 < words.count && words[index + 1].hasPrefix("<")
        // A flag and its opposite stand together: `--open/--no-open`.
        for name in word.filter({ $0 != "," }).split(separator: "/") {
          options.append(Option(name: String(name), takesValue: value))
        }
      }
    }
    return options
  }

  private static func looksLikeOption(_ word: String) -> Bool {
    word.hasPrefix("-") && word.count > 1 && !isNegativeNumber(word)
  }

  /// `-1`, `-0.5`, `-5%`, `-3M`.
  private static func isNegativeNumber(_ word: String) -> Bool {
    guard word.hasPrefix("-"), let first = word.dropFirst().first else { return false }
    return first == "." || first.isASCII && first.isNumber
  }
}
