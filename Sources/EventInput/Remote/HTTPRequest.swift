/// One request, whatever it is for. Holds secrets: never to be printed.
struct HTTPRequest: Sendable {
  var method = "GET"
  var url: String
  var headers: [String] = []
  var certificates = TrustedCertificates()
  var followsRedirects = false
  var usesProxy = true
  /// How long to wait for a connection.
  var connectSeconds = 10
  /// How long to wait for a byte, for as long as there is room for it.
  var stallSeconds = 60
  /// How long it may take as a whole; without a bound if not given.
  var totalSeconds: Int?

  init(url: String, certificates: TrustedCertificates = TrustedCertificates()) {
    self.url = url
    self.certificates = certificates
  }
}
