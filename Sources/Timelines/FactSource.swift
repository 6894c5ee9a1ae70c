/// Facts by partition, and what their codes mean in the run.
struct FactSource: Sendable {
  let log: FactLog
  let codes: CodeMap
}
