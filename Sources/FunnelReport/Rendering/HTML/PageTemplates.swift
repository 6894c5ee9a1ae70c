internal import Mustache

/// The page's templates, embedded in the program.
enum PageTemplates {
  enum Name: String, CaseIterable {
    case report, findings, changes, funnel, balance, ways, permissions, time, retention, experiments
    case trends, history, quality
    case index, person, study, chooser
  }

  /// A page fills each of its templates once. One that can't be read gives nothing; a test reads
  /// them all.
  static func fill(_ name: Name, _ context: TemplateContext) -> Markup {
    let template = try? MustacheTemplate(string: String(decoding: bytes(name), as: UTF8.self))
    let text = template?.render(context.values) ?? ""
    return Markup(trusted: String(text.drop { $0.isWhitespace }))
  }

  /// The style sheet, in which the rules of a folded table stand once for each width of
  /// ``TableWidth/folds``: a container query can't take its width from the table itself.
  static let styleSheet: String = {
    let all = rules(PackageResources.tokens_css) + rules(PackageResources.report_css)
    guard let start = all.firstIndex(of: Array("/*fold*/\n".utf8)),
      let end = all.firstIndex(of: Array("/*unfold*/\n".utf8)), start < end
    else { return text(all) }
    let folded = text(all[(start + 1)..<end])
    let folds = TableWidth.folds.enumerated().map { index, width in
      "@media screen { @container (max-width: \(width - 1)px) {\n"
        + folded.replacing("FOLD", with: "f\(index)") + "} }\n"
    }
    return text(all[..<start]) + folds.joined() + text(all[(end + 1)...])
  }()

  /// Of the pages beside the report: the index.
  static var pagesStyleSheet: String {
    sheet(PackageResources.tokens_css) + sheet(PackageResources.pages_css)
  }

  /// Of timelines of people.
  static var personStyleSheet: String { pagesStyleSheet + sheet(PackageResources.person_css) }

  /// Of a single funnel, whose tables are as wide as it has steps.
  static var studyStyleSheet: String { pagesStyleSheet + sheet(PackageResources.study_css) }

  /// Of the bar around the pages that are served.
  static var chooserStyleSheet: String { pagesStyleSheet + sheet(PackageResources.chooser_css) }

  private static func sheet(_ bytes: [UInt8]) -> String { text(rules(bytes)) }

  private static func text(_ lines: some Sequence<[UInt8]>) -> String {
    String(decoding: Array(lines.joined()), as: UTF8.self)
  }

  /// Without its indents, most blanks and most ends of lines, which are for those who edit it. As
  /// bytes: as text it took a tenth of a small report.
  private static func rules(_ bytes: [UInt8]) -> [[UInt8]] {
    lines(bytes).map { line in
      // Conditions of media read as they are written.
      var rule = line.first == UInt8(ascii: "@") ? Array(line) : withoutBlanks(Array(line))
      if rule.last != UInt8(ascii: "}") && rule.last != UInt8(ascii: ";") { rule.append(newline) }
      return rule
    }
  }

  /// A rule without the blanks around its marks.
  private static func withoutBlanks(_ long: [UInt8]) -> [UInt8] {
    var short: [UInt8] = []
    short.reserveCapacity(long.count)
    var index = 0
    while index < long.count {
      let (byte, next) = (long[index], index + 1 < long.count ? long[index + 1] : 0)
      let third = index + 2 < long.count ? long[index + 2] : 0
      switch (byte, next, third) {
      case (blank, UInt8(ascii: "{"), blank), (blank, UInt8(ascii: ">"), blank):
        short.append(next)
        index += 3
      case (UInt8(ascii: ";"), blank, UInt8(ascii: "}")):
        short.append(third)
        index += 3
      case (blank, UInt8(ascii: "}"), _):
        short.append(next)
        index += 2
      case (UInt8(ascii: ":"), blank, _), (UInt8(ascii: ";"), blank, _):
        short.append(byte)
        index += 2
      default:
        short.append(byte)
        index += 1
      }
    }
    return short
  }

  private static let blank = UInt8(ascii: " ")
  private static let newline = UInt8(ascii: "\n")

  /// What stands between the page's script tags, without its indents and comments.
  static var script: String {
    let script = Array(lines(PackageResources.report_js).joined(separator: [newline]))
    return "\n" + String(decoding: script, as: UTF8.self) + "\n"
  }

  /// Lines that say something, without what is for those who edit them.
  private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    bytes.split(separator: newline).map { $0.drop { $0 == blank } }
      .filter { !$0.isEmpty && !$0.starts(with: lineComment) && !$0.starts(with: comment) }
  }

  private static let lineComment = Array("//".utf8)
  private static let comment = Array("/* ".utf8)

  /// The only script that a browser may run on the page, by the SHA-256 of ``script``. A test names
  /// the right one after a change.
  static let scriptHash = "sha256-nDmGjag7ivr5s/POXmlsjJrYRDfDCxuhbxq/AyMM7+8="

  private static func bytes(_ name: Name) -> [UInt8] {
    switch name {
    case .report: PackageResources.report_mustache
    case .findings: PackageResources.findings_mustache
    case .changes: PackageResources.changes_mustache
    case .funnel: PackageResources.funnel_mustache
    case .balance: PackageResources.balance_mustache
    case .ways: PackageResources.ways_mustache
    case .permissions: PackageResources.permissions_mustache
    case .time: PackageResources.time_mustache
    case .retention: PackageResources.retention_mustache
    case .experiments: PackageResources.experiments_mustache
    case .trends: PackageResources.trends_mustache
    case .history: PackageResources.history_mustache
    case .quality: PackageResources.quality_mustache
    case .index: PackageResources.index_mustache
    case .person: PackageResources.person_mustache
    case .study: PackageResources.study_mustache
    case .chooser: PackageResources.chooser_mustache
    }
  }
}
