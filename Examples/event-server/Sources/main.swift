import FirstMile
import FlyingFox
import Foundation

// A server that receives the events of an onboarding and serves its report.
//
//     swift run --package-path Examples/event-server EventServer
//     curl --data-binary @events.ndjson http://127.0.0.1:PORT/events
//     open http://127.0.0.1:PORT/report.html

let flow = Flow("signup", title: "Sign-up", window: .days(1)) {
  Step("welcome", title: "Welcome")
  Step("account", title: "Your account")
  Step("notifications", title: "Stay informed", asks: ["notifications"])
  Goal("first_project", title: "First project", event: "project_created", within: .days(7))
  RetentionMeasure(day: 1)
  RetentionMeasure(day: 7)
  Experiment("copy", control: "short", split: ["short": 0.5, "long": 0.5])
}
let received = ReceivedEvents()

func said(_ status: HTTPStatusCode, _ text: String, type: String = "text/plain") -> HTTPResponse {
  HTTPResponse(
    statusCode: status, headers: [.contentType: "\(type); charset=utf-8"], body: Data(text.utf8))
}

let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0))
await server.appendRoute("POST /events") { request in
  let body = try await request.bodyData
  do {
    return said(.ok, "\(try await received.append(body)) events\n")
  } catch {
    return said(.badRequest, "\(error)\n")
  }
}
await server.appendRoute("GET /*") { request in
  // Any file of a report: report.html, report.md, metrics.csv, overview.csv …
  let name = String(request.path.dropFirst())
  guard let text = try await received.result(of: flow).text(of: name) else {
    return said(.notFound, "A report has no '\(name)'; try report.html.\n")
  }
  return said(.ok, text, type: name.hasSuffix(".html") ? "text/html" : "text/plain")
}

let running = Task { try await server.run() }
try await server.waitUntilListening()
if case .ip4(let address, let port) = await server.listeningAddress {
  let line = "http://\(address):\(port)/report.html\n"
  FileHandle.standardOutput.write(Data(line.utf8))
}
try await running.value
