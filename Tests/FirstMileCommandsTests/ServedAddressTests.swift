import Testing

@testable import FirstMileCommands

/// What `serve` takes from an address and a request's headers.
@Suite struct ServedAddressTests {
  private func mistake(_ query: String) -> String? {
    do {
      _ = try ServedQuestion(query: query)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `an address asks what the options of a command line ask`() throws {
    let question = try ServedQuestion(query: "to=2026-02-01&steps=a+%3E+b%2Bc&from=&breakdown=x")
    #expect(question["steps"] == "a > b+c")
    #expect(question["from"] == nil)
    #expect(question.isFunnel)
    #expect(question.arguments(["steps", "to"]) == ["--steps=a > b+c", "--to=2026-02-01"])
    #expect(try !ServedQuestion(query: "flow=aiq&to=2026-02-01").isFunnel)
  }

  @Test func `equal questions have one address, from which they are read again`() throws {
    let one = try ServedQuestion(query: "to=2026-02-01&flow=aiq")
    #expect(try ServedQuestion(query: "flow=aiq&&from=&to=2026-02-01").query == one.query)
    var odd = ServedQuestion()
    odd["steps"] = "a & b=c > 100 % +1 > ü#"
    odd["flow"] = "apps/aiq.yaml"
    #expect(try ServedQuestion(query: odd.query) == odd)
    #expect(odd.key(["flow"]) != odd.query)
    #expect(odd.key(["flow"]) == (try ServedQuestion(query: "flow=apps%2Faiq.yaml").query))
  }

  @Test func `what can't be asked is answered with what can`() {
    #expect(mistake("flow=aiq&breakdown=a&breakdown=b") == nil)
    let unknown = mistake("threads=4") ?? ""
    #expect(unknown.hasPrefix("'threads' can't be chosen; what can is flow, "))
    #expect(mistake("to=1&to=2") == "'to' is given twice")
    #expect(
      mistake("breakdown=a&breakdown=b&breakdown=c")
        == "a funnel is cut by two properties at most")
    #expect(mistake("flow=%ff") == "the address is not percent-encoded UTF-8")
    #expect(mistake("flow=" + String(repeating: "x", count: 4000)) == nil)
    #expect(
      mistake("flow=" + String(repeating: "x", count: 4001)) == "'flow' is longer than 4000 bytes")
  }

  @Test func `a server answers to numbers, localhost and the names that it was given`() {
    let check = HostCheck(["Reports.example.com"])
    let right = [
      "localhost", "LOCALHOST:8080", "127.0.0.1", "192.168.0.7:8080", "[::1]:8080", "[::1]",
      "reports.example.com:443",
    ]
    for host in right { #expect(check.allows(host), "\(host)") }
    let wrong = [
      nil, "", "example.com", "localhost.example.com", "127.0.0.1.example.com", "1.2.3",
      "1.2.3.256", "[::1", "[example]", "reports.example.com.example",
    ]
    for host in wrong { #expect(!check.allows(host), "\(host ?? "none")") }
    #expect(!HostCheck([]).allows("reports.example.com"))
  }

  @Test func `a token is matched by itself alone`() {
    let token = AccessToken()
    #expect(token.text.count == 32 && token.text != AccessToken().text)
    #expect(token.matches(token.text[...]))
    let last = token.text.last == "0" ? "1" : "0"
    let shorter = String(token.text.dropLast())
    for guess in ["", shorter, shorter + last, token.text + "0"] {
      #expect(!token.matches(guess[...]), "\(guess)")
    }
  }
}
