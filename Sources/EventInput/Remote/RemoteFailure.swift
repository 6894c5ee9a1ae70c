/// Why something could not be had over the network, in words; whose address it was is added where
/// it becomes an `InputProblem`.
struct RemoteFailure: Error {
  var message: String

  init(_ message: String) { self.message = message }
}
