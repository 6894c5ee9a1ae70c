/// Writes events into files of a folder, a line each, and begins a new file where one is full.
///
///     let writer = try EventFileWriter(folder: "events")
///     try writer.append(OnboardingEvent(.started, at: now, deviceID: "A1B2"))
///     try writer.close()
///
/// Files are called `NAME-000001.ndjson`, `NAME-000002.ndjson` …. The one that is being written
/// ends in `.part`, which FirstMile passes over, and loses the ending when it is full or closed: so
/// that what reads the folder, or sends its files somewhere, only ever sees whole ones. An event is
/// with the system when `append` returns; a file that a crash left behind is gone on with.
///
/// Files are not compressed: that needs a library. FirstMile reads `.gz` and `.zst` as well, so
/// compress the finished ones on their way out.
///
/// A writer belongs to one task or actor at a time, and a name in a folder to one writer.
public final class EventFileWriter {
  private let folder: String
  private let name: String
  private let maximumBytes: Int
  private var number = 1
  private var file: EventFile?
  private var isClosed = false

  /// - Parameters:
  ///   - folder: where the files go; it must be there.
  ///   - name: what the files' names begin with.
  ///   - maximumBytes: a file is full before it would be longer; an event alone may be.
  /// - Throws: ``EventWriterError/file(path:operation:code:)``
  public init(
    folder: String, name: String = "events", maximumBytes: Int = 16_777_216
  ) throws(EventWriterError) {
    self.folder = folder
    self.name = name
    self.maximumBytes = max(1, maximumBytes)
    try openNext()
  }

  /// Writes one event.
  ///
  /// - Throws: ``EventWriterError``; the event is then in no file.
  public func append(_ event: OnboardingEvent) throws(EventWriterError) {
    if isClosed { throw .closed }
    let line: [UInt8]
    do { line = try event.line() } catch { throw .invalid(error) }
    if let open = file, open.byteCount > 0, open.byteCount + line.count > maximumBytes {
      try rotate()
    }
    if file == nil { try openNext() }
    try file?.append(line)
  }

  /// Finishes the file that is being written, so that it can be sent; the next event begins
  /// another.
  ///
  /// - Throws: ``EventWriterError/file(path:operation:code:)``
  public func rotate() throws(EventWriterError) {
    guard let open = file else { return }
    // A file without events is kept open for those to come.
    if open.byteCount == 0 { return }
    try open.finish(as: path(number))
    file = nil
  }

  /// Finishes the last file; nothing can be appended any more.
  ///
  /// - Throws: ``EventWriterError/file(path:operation:code:)``
  public func close() throws(EventWriterError) {
    if isClosed { return }
    isClosed = true
    try rotate()
    try file?.remove()
    file = nil
  }

  private func openNext() throws(EventWriterError) {
    while EventFile.exists(path(number)) { number += 1 }
    file = try EventFile(path(number) + ".part")
  }

  private func path(_ number: Int) -> String {
    let digits = String(number)
    let zeros = String(repeating: "0", count: max(0, 6 - digits.utf8.count))
    return "\(folder)/\(name)-\(zeros)\(digits).ndjson"
  }
}
