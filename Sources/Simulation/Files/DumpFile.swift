import Foundation

/// A file of the dump while it is written.
final class DumpFile {
  private let path: String
  private let handle: FileHandle
  private let compressor: any Compressor

  init(path: String, _ compression: SimulationPlan.Compression) throws(SimulationError) {
    self.path = path
    compressor = try compression.makeCompressor()
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let handle = FileHandle(forWritingAtPath: path)
    else { throw .unwritable(path: path, reason: "the file can't be created") }
    self.handle = handle
  }

  func write(_ buffer: LineBuffer, isLast: Bool) throws(SimulationError) {
    let sink = { [handle, path] (bytes: UnsafeRawBufferPointer) throws(SimulationError) -> Void in
      guard !bytes.isEmpty else { return }
      do {
        try handle.write(contentsOf: Data(bytes))
      } catch {
        throw SimulationError.unwritable(path: path, reason: SystemReason.of(error))
      }
    }
    try buffer.withBytes { bytes throws(SimulationError) in
      try compressor.compress(bytes, isLast: isLast, into: sink)
    }
    buffer.removeAll()
    if isLast { try? handle.close() }
  }
}
