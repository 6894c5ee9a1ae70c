import ArgumentParser
import EventInput
import FlowDefinition
import Foundation

/// Options of the commands that read dumps over the network.
struct RemoteOptions: ParsableArguments {
  @Option(
    help: """
      The address of an S3-compatible store that s3:// inputs are read from, such as \
      https://storage.googleapis.com; AWS itself if not given.
      """)
  var endpointUrl: String?

  @Flag(help: "Read s3:// inputs of a public bucket, without credentials.")
  var noSignRequest = false

  func validate() throws {
    if let endpointUrl, let mistake = RemoteAccess.mistake(inEndpoint: endpointUrl) {
      throw ValidationError(
        "--endpoint-url: \(mistake), found '\(RemoteAddress.shown(endpointUrl))'")
    }
  }

  /// Takes from the project file what isn't given, with the inputs that it is for.
  ///
  /// - Throws: `ValidationError` for an address that can't be one.
  mutating func take(_ file: ProjectFile) throws {
    endpointUrl = endpointUrl ?? file.endpointURL
    noSignRequest = noSignRequest || file.isUnsigned
    try validate()
  }

  /// How addresses are reached: the one place that asks the environment.
  func access() -> RemoteAccess {
    RemoteAccess(
      environment: ProcessInfo.processInfo.environment, endpointURL: endpointUrl,
      isSigning: !noSignRequest)
  }
}
