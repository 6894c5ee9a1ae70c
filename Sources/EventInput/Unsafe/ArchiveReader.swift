import CFirstMileArchive

/// libarchive over a stream of ours: it asks for bytes, and gives what it unpacked.
///
/// Invariants: `archive` is made in `init` and freed in `deinit` only, and calls back only from
/// inside of its functions, while `self` is alive; what it was lent last stays in `input` until it
/// asks for more. One thread at a time uses it.
@safe final class ArchiveReader {
  enum Content {
    /// One stream that was compressed: bzip2, xz, LZ4.
    case stream
    /// The files of a tar.
    case tar
  }

  private let upstream: ByteStream
  private let log: DamageLog
  private let offset: () -> Int
  private let archive: OpaquePointer?
  private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 64)
  /// What the stream could not be read for.
  private var failure: (any Error)?
  private var isBroken = false
  private let isTar: Bool
  /// Zeros at the end of what was read so far: a tar ends with blocks of them.
  private var zeroBytes = 0
  private static let blockBytes = 512
  /// The files that came so far: a hard link is one of them once more.
  private var names: Set<String> = []

  init(
    _ upstream: ByteStream, _ content: Content, log: DamageLog, offset: @escaping () -> Int
  ) {
    self.upstream = upstream
    self.log = log
    self.offset = offset
    unsafe archive = archive_read_new()
    switch content {
    case .stream:
      unsafe archive_read_support_filter_bzip2(archive)
      unsafe archive_read_support_filter_xz(archive)
      unsafe archive_read_support_filter_lzma(archive)
      unsafe archive_read_support_filter_lz4(archive)
      unsafe archive_read_support_format_raw(archive)
      unsafe archive_read_support_format_empty(archive)
    case .tar:
      unsafe archive_read_support_format_tar(archive)
      // Tars that were put together, and all that stands behind the first one's end.
      unsafe archive_read_set_options(archive, "read_concatenated_archives")
    }
    isTar = content == .tar
  }

  deinit {
    unsafe archive_read_free(archive)
    unsafe input.deallocate()
  }

  func open() throws {
    let own = unsafe Unmanaged.passUnretained(self).toOpaque()
    let code = unsafe archive_read_open(
      archive, own, nil,
      { _, own, target in
        guard let own = unsafe own else { return -1 }
        return unsafe Unmanaged<ArchiveReader>.fromOpaque(own).takeUnretainedValue().lend(target)
      }, nil)
    _ = try isFine(code)
  }

  /// Goes to the next file: its name, or `nil` at the end and where the archive is broken.
  func nextFile() throws -> String? {
    while !isBroken {
      var entry: OpaquePointer?
      let code = unsafe archive_read_next_header(archive, &entry)
      if code == ARCHIVE_EOF {
        if isTar && zeroBytes < Self.blockBytes {
          isBroken = true
          log.add(at: offset(), "the tar ends without its end mark: files may be missing")
        }
        return nil
      }
      guard try isFine(code) else { return nil }
      // Links and folders hold nothing; macOS adds notes of its own.
      guard
        unsafe archive_entry_filetype(entry) == Self.regularFile
          || archive_entry_filetype(entry) == 0
      else { continue }
      let name = unsafe archive_entry_pathname(entry).map { unsafe String(cString: $0) } ?? ""
      if ArchiveNotes.areIn(name) { continue }
      if let target = unsafe archive_entry_hardlink(entry).map({ unsafe String(cString: $0) }) {
        if !names.contains(target) {
          log.add(
            at: offset(),
            "'\(name)' is a hard link to '\(target)', which the tar doesn't hold before it: its "
              + "events are missing")
        }
        continue
      }
      names.insert(name)
      return name
    }
    return nil
  }

  /// The next bytes of the file.
  func read(into target: UnsafeMutableRawBufferPointer) throws -> ReadResult {
    if isBroken { return .damage }
    let count = unsafe archive_read_data(archive, target.baseAddress, target.count)
    if count > 0 { return .bytes(count) }
    if count == 0 { return .end }
    return try isFine(Int32(truncatingIfNeeded: count)) ? .end : .damage
  }

  /// `AE_IFREG`, which is a macro that Swift can't read.
  private static let regularFile: UInt32 = 0o100000

  /// Gives the library the stream's next bytes: how many, 0 at the end, less if it can't be read.
  private func lend(_ target: UnsafeMutablePointer<UnsafeRawPointer?>?) -> Int {
    do {
      while true {
        switch try unsafe upstream.read(into: input) {
        case .bytes(let count):
          let zeros = unsafe input[..<count].reversed().prefix { $0 == 0 }.count
          zeroBytes = zeros == count ? zeroBytes + count : zeros
          unsafe target?.pointee = unsafe UnsafeRawPointer(input.baseAddress)
          return count
        case .memberEnd: continue
        case .damage, .end: return 0
        }
      }
    } catch {
      failure = error
      return -1
    }
  }

  /// Whether the library can go on; if not, says why.
  private func isFine(_ code: Int32) throws -> Bool {
    if let failure { throw failure }
    if code >= ARCHIVE_WARN { return true }
    isBroken = true
    let reason =
      unsafe archive_error_string(archive).map { unsafe String(cString: $0) } ?? "unknown error"
    log.add(at: offset(), "the archive is broken: \(reason)")
    return false
  }
}
