internal import WorkerThreads

/// The bytes of an object, which a thread fetches ahead of reading. Ends the transfer when nobody
/// needs it any more.
final class RemoteStream: ByteStream, @unchecked Sendable {
  private let buffer = TransferBuffer()
  private var thread: SystemThread?

  init(_ object: RemoteObject) {
    super.init()
    let buffer = buffer
    do throws(SystemThread.Refusal) {
      thread = try SystemThread(stackBytes: 1 << 20) { RemoteDownload(object, buffer).run() }
    } catch {
      let reason = "can't be read: the system grants no thread (\(error.message))"
      buffer.finish(.failure(object.problem(reason)))
    }
  }

  deinit {
    buffer.stop()
    // At the end of the process no thread may be inside libcurl.
    thread?.join()
  }

  override func read(into target: UnsafeMutableRawBufferPointer) throws -> ReadResult {
    let count = try unsafe buffer.take(into: target)
    return count > 0 ? .bytes(count) : .end
  }
}
