#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A thread that the system may refuse to make. Foundation's threads hide the refusal, and
/// the caller would wait for ever.
///
/// Invariant: the thread is joined or detached exactly once.
package final class SystemThread {
  /// Why there is no thread: the system's error number.
  package struct Refusal: Error {
    package let number: Int32
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    /// Takes over what was retained for the thread.
    static func run(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
      if let work = unsafe work {
        unsafe Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
      }
      return nil
    }
  }

  private let thread: pthread_t
  private var isJoined = false

  /// Makes a thread and begins its work.
  package init(
    stackBytes: Int? = nil, _ body: @escaping @Sendable () -> Void
  ) throws(Refusal) {
    // Not by its initializer, which belongs to whichever module the compiler met its header in.
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    defer { unsafe attributes.deallocate() }
    unsafe pthread_attr_init(attributes)
    defer { unsafe pthread_attr_destroy(attributes) }
    if let stackBytes { unsafe pthread_attr_setstacksize(attributes, stackBytes) }
    let work = unsafe Unmanaged.passRetained(Work(body)).toOpaque()
    #if canImport(Darwin)
      var made: pthread_t?
      let result = pthread_create(&made, attributes, { Work.run($0) }, work)
    #else
      var thread = pthread_t()
      let result = unsafe pthread_create(&thread, attributes, { unsafe Work.run($0) }, unsafe work)
      let made: pthread_t? = thread
    #endif
    guard result == 0, let made else {
      unsafe Unmanaged<Work>.fromOpaque(work).release()
      throw Refusal(number: result)
    }
    self.thread = made
  }

  deinit {
    if !isJoined { pthread_detach(thread) }
  }

  /// Waits until the work is done.
  package func join() {
    if isJoined { return }
    isJoined = true
    pthread_join(thread, nil)
  }
}
