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
    let text = sheet(PackageResources.tokens_css) + sheet(PackageResources.report_css)
    guard let start = text.firstRange(of: "/*fold*/\n"),
      let end = text.firstRange(of: "/*unfold*/\n")
    else { return text }
    let rules = String(text[start.upperBound..<end.lowerBound])
    let folds = TableWidth.folds.enumerated().map { index, width in
      "@media screen { @container (max-width: \(width - 1)px) {\n"
        + rules.replacing("FOLD", with: "f\(index)") + "} }\n"
    }
    return text[..<start.lowerBound] + folds.joined() + text[end.upperBound...]
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

  /// Without its indents, most blanks and most ends of lines, which are for those who edit it.
  private static func sheet(_ bytes: [UInt8]) -> String {
    lines(bytes).split(separator: "\n")
      // Conditions of media read as they are written.
      .map { $0.hasPrefix("@") ? String($0) : withoutBlanks($0) }
      .map { $0.hasSuffix("}") || $0.hasSuffix(";") ? $0 : $0 + "\n" }
      .joined()
  }

  /// A rule without the blanks around its marks. Byte by byte: searching the text for each mark
  /// in turn took a tenth of a small report.
  private static func withoutBlanks(_ rule: Substring) -> String {
    var rest = Array(rule.utf8)[...]
    var short: [UInt8] = []
    while let byte = rest.first {
      if let mark = blankMarks.first(where: { rest.starts(with: $0.long) }) {
        short.append(mark.short)
        rest = rest.dropFirst(mark.long.count)
      } else {
        short.append(byte)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: short, as: UTF8.self)
  }

  private static let blankMarks: [(long: [UInt8], short: UInt8)] = [
    (Array(" { ".utf8), UInt8(ascii: "{")), (Array("; }".utf8), UInt8(ascii: "}")),
    (Array(" }".utf8), UInt8(ascii: "}")), (Array(": ".utf8), UInt8(ascii: ":")),
    (Array("; ".utf8), UInt8(ascii: ";")), (Array(" > ".utf8), UInt8(ascii: ">")),
  ]

  /// What stands between the page's script tags, without its indents and comments.
  static var script: String { "\n" + lines(PackageResources.report_js) }

  /// Lines that say something, without what is for those who edit them.
  private static func lines(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .map { $0.drop { $0 == " " } }
      .filter { !$0.hasPrefix("//") && !$0.hasPrefix("/* ") && !$0.isEmpty }
      .joined(separator: "\n") + "\n"
  }

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
