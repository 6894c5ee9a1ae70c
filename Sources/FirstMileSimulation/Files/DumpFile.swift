import FlowDefinition
import Foundation

/// A file of the dump while it is written.
final class DumpFile {
  private let path: String
  private let handle: FileHandle
  private let compressor: any Compressor

  init(path: String, _ compression: SimulationPlan.Compression) throws(SimulationError) {
    self.path = path
    compressor = try compression.makeCompressor()
    // A dump never replaces a file: what was there may be all there is of it.
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard file >= 0 else {
      throw unsafe .unwritable(path: path, reason: String(cString: strerror(errno)))
    }
    handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
  }

  func write(_ buffer: LineBuffer, isLast: Bool) throws(SimulationError) {
    let sink = { [handle, path] (bytes: UnsafeRawBufferPointer) throws(SimulationError) -> Void in
      guard unsafe !bytes.isEmpty else { return }
      do {
        try unsafe handle.write(contentsOf: Data(bytes))
      } catch {
        throw SimulationError.unwritable(path: path, reason: SystemReason.of(error))
      }
    }
    try unsafe buffer.withBytes { bytes throws(SimulationError) in
      try unsafe compressor.compress(bytes, isLast: isLast, into: sink)
    }
    buffer.removeAll()
    if isLast { try? handle.close() }
  }
}
