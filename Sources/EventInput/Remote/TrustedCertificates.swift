internal import Foundation

/// Where certificates lie that are trusted; where nothing is named, those that libcurl knows.
struct TrustedCertificates: Sendable, Hashable {
  var file: String?
  var folder: String?

  var isNamed: Bool { file != nil || folder != nil }

  /// Where systems keep the certificates that they trust, in one file. A libcurl that isn't the
  /// system's own knows none of these.
  ///
  /// Source: the list of Go's `crypto/x509`, `root_linux.go`.
  static let usualFiles = [
    "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Arch, Gentoo
    "/etc/pki/tls/certs/ca-bundle.crt",  // Fedora, Red Hat, Amazon
    "/etc/ssl/ca-bundle.pem",  // openSUSE
    "/etc/pki/tls/cacert.pem",  // OpenELEC
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // CentOS
    "/etc/ssl/cert.pem",  // Alpine
  ]

  /// The first of the usual files that is there.
  static func ofSystem(
    isThere: (String) -> Bool = { FileManager.default.isReadableFile(atPath: $0) }
  ) -> TrustedCertificates {
    TrustedCertificates(file: usualFiles.first(where: isThere))
  }
}
