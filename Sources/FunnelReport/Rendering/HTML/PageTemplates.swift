internal import Mustache

/// The page's templates, embedded in the program.
struct PageTemplates {
  enum Name: String, CaseIterable {
    case report, findings, funnel, balance, permissions, time, retention, experiments, trends
    case history, quality
    case index
  }

  private let templates: [Name: MustacheTemplate]

  /// A template that can't be read is left out; a test reads them all.
  init() {
    var templates: [Name: MustacheTemplate] = [:]
    for name in Name.allCases {
      templates[name] = try? MustacheTemplate(
        string: String(decoding: PageTemplates.bytes(name), as: UTF8.self))
    }
    self.templates = templates
  }

  func fill(_ name: Name, _ context: TemplateContext) -> Markup {
    let text = templates[name]?.render(context.values) ?? ""
    return Markup(trusted: String(text.drop { $0.isWhitespace }))
  }

  static var styleSheet: String { String(decoding: PackageResources.report_css, as: UTF8.self) }

  /// Of the pages beside the report: the index.
  static var pagesStyleSheet: String { String(decoding: PackageResources.pages_css, as: UTF8.self) }

  /// What stands between the page's script tags.
  static var script: String { "\n" + String(decoding: PackageResources.report_js, as: UTF8.self) }

  /// The only script that a browser may run on the page, by the SHA-256 of ``script``. A test names
  /// the right one after a change.
  static let scriptHash = "sha256-rTYBNvgjicFE4jqP8ifoLKfzrBUgJYeg6GheZBqC8lg="

  private static func bytes(_ name: Name) -> [UInt8] {
    switch name {
    case .report: PackageResources.report_mustache
    case .findings: PackageResources.findings_mustache
    case .funnel: PackageResources.funnel_mustache
    case .balance: PackageResources.balance_mustache
    case .permissions: PackageResources.permissions_mustache
    case .time: PackageResources.time_mustache
    case .retention: PackageResources.retention_mustache
    case .experiments: PackageResources.experiments_mustache
    case .trends: PackageResources.trends_mustache
    case .history: PackageResources.history_mustache
    case .quality: PackageResources.quality_mustache
    case .index: PackageResources.index_mustache
    }
  }
}
