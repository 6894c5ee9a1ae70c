import ArgumentParser
import FirstMileStore
import FlowDefinition
import FlyingFox
import Foundation
import FunnelMetrics
import FunnelReport

/// Answers requests: checks who asks, and what for.
struct ServedSite: Sendable {
  let store: ServedStore
  let token: AccessToken
  let hosts: HostCheck
  let storeName: String
  /// How long a page with the bar waits for its view, before it says how far that is.
  private static let patienceMilliseconds = 700

  private static let funnelFiles = ["funnel.html", "funnel.csv", "funnel.json", "funnel.txt"]
  private static let types = [
    "html": "text/html; charset=utf-8", "csv": "text/csv; charset=utf-8",
    "json": "application/json", "svg": "image/svg+xml", "md": "text/markdown; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
  ]

  func answer(_ request: HTTPRequest) async -> HTTPResponse {
    guard request.method == .GET else {
      return said(405, "Only GET is answered here.", [HTTPHeader("Allow"): "GET"])
    }
    guard hosts.allows(request.headers[.host]) else {
      return said(421, "The server is not known by this name; see --allow-host.")
    }
    let path = request.target.path().dropFirst()
    let parts = path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, token.matches(first) else {
      return said(
        404,
        "There is nothing here. The address that firstmile has printed ends in a "
          + "token; use all of it.")
    }
    guard parts.count == 2 else {
      return said(308, "", [.location: "/\(token.text)/"])
    }
    return await answer(String(parts[1]), query: request.target.query())
  }

  private func answer(_ name: String, query: String) async -> HTTPResponse {
    let isPage = name.isEmpty
    var question = ServedQuestion()
    do {
      try store.notice()
      question = try ServedQuestion(query: query)
      question["flow"] = try store.flow(question).id
      if isPage { return try await page(question) }
      let known = question.isFunnel ? Self.funnelFiles : Report.documentNames + Report.cardNames
      guard known.contains(name) else {
        return said(
          404,
          "There is no '\(name.prefix(80))' here; there are: "
            + known.joined(separator: ", ") + ".")
      }
      let document = try await store.begin(name, of: question).value
      return file(document)
    } catch {
      let words = ServedSite.words(error)
      return isPage
        ? html(400, chooser(question, .mistake(words))) : said(400, words)
    }
  }

  /// The bar with its view, once that is counted; until then how far it is.
  private func page(_ question: ServedQuestion) async throws -> HTTPResponse {
    let name = question.isFunnel ? "funnel.html" : "report.html"
    let task = store.begin(name, of: question)
    let end = ContinuousClock.now + .milliseconds(Self.patienceMilliseconds)
    while !store.isDone(name, of: question), ContinuousClock.now < end,
      store.progress(of: question) != nil
    {
      try await Task.sleep(for: .milliseconds(10))
    }
    if let progress = store.progress(of: question), !store.isDone(name, of: question) {
      let page = chooser(question, .underWay(progress.words, seconds: progress.seconds))
      return html(200, page, [HTTPHeader("Refresh"): "1"])
    }
    // What went wrong is said here, and not in the frame.
    _ = try await task.value
    let files =
      question.isFunnel
      ? Self.funnelFiles.dropFirst()
      : [
        "report.md", "overview.csv",
        "steps.csv", "metrics.csv", "metrics.json", "card.svg",
      ]
    return html(
      200,
      chooser(
        question,
        .page(
          address: "\(name)?\(question.query)",
          files: files.map { ($0, "\($0)?\(question.query)") })))
  }

  private func chooser(_ question: ServedQuestion, _ content: ChooserPage.Content) -> String {
    let flows = store.flows
    let flow = (try? store.flow(question)) ?? flows.first
    let versions = flow.map { [$0.newestVersion].compactMap(\.self) + $0.versions.map(\.name) }
    let cuts = flow.map { flow in
      flow.dimensions.map(\.id) + flow.experiments.map(\.id) + ["version"]
    }
    return ChooserPage(
      store: storeName,
      offer: ChooserPage.Offer(
        flows: flows.map { ($0.id, $0.title) }, versions: versions ?? [], breakdowns: cuts ?? []),
      choice: question.choice, content: content, programVersion: FirstMile.version
    ).text()
  }

  static func words(_ error: any Error) -> String {
    if let error = error as? CommandError { return error.description }
    if let error = error as? StoreError { return "\(error)" }
    return ReportCommand.message(for: error)
  }

  // MARK: Answers

  private func file(_ document: Document) -> HTTPResponse {
    let kind = document.name.split(separator: ".").last.map(String.init) ?? ""
    // Pages have a policy of their own, which allows what they are made of.
    let policy =
      kind == "html"
      ? "frame-ancestors 'self'; form-action 'none'; base-uri 'none'"
      : "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    return response(
      200, Data(document.bytes), Self.types[kind] ?? "application/octet-stream", policy)
  }

  private func html(
    _ status: Int, _ text: String, _ headers: [HTTPHeader: String] = [:]
  ) -> HTTPResponse {
    response(
      status, Data(text.utf8), "text/html; charset=utf-8",
      "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; form-action 'self'; "
        + "base-uri 'none'; frame-ancestors 'none'", headers)
  }

  private func said(
    _ status: Int, _ words: String, _ headers: [HTTPHeader: String] = [:]
  ) -> HTTPResponse {
    response(
      status, Data((words + "\n").utf8), "text/plain; charset=utf-8", "default-src 'none'", headers)
  }

  private func response(
    _ status: Int, _ body: Data, _ type: String, _ policy: String,
    _ more: [HTTPHeader: String] = [:]
  ) -> HTTPResponse {
    let phrases = [
      200: "OK", 308: "Permanent Redirect", 400: "Bad Request", 404: "Not Found",
      405: "Method Not Allowed", 421: "Misdirected Request",
    ]
    var headers: HTTPHeaders = [
      .contentType: type, HTTPHeader("Content-Security-Policy"): policy,
      HTTPHeader("X-Content-Type-Options"): "nosniff",
      HTTPHeader("Referrer-Policy"): "no-referrer", .cacheControl: "no-store",
      HTTPHeader("Cross-Origin-Resource-Policy"): "same-origin",
      HTTPHeader("Cross-Origin-Opener-Policy"): "same-origin",
    ]
    for (name, value) in more { headers[name] = value }
    return HTTPResponse(
      statusCode: HTTPStatusCode(status, phrase: phrases[status] ?? ""), headers: headers,
      body: body)
  }
}
