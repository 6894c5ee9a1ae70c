internal import EventInput
internal import FlowDefinition
internal import Foundation

/// Reads files of segments, one segment after the other.
public enum SegmentFiles {
  /// Calls `body` for the segments of a file that are wanted; others are passed over unread.
  ///
  /// - Parameters:
  ///   - path: `-` for standard input.
  ///   - isWanted: asked of each segment's head.
  /// - Throws: `SegmentError`, and what `body` throws.
  public static func forEach(
    in path: String, where isWanted: (PortableSegment.Head) -> Bool,
    _ body: (PortableSegment) throws -> Void
  ) throws {
    let file = try Reading(path)
    while let head = try file.head() {
      if !isWanted(head) {
        try file.skip(head)
        continue
      }
      try body(try file.segment(head))
    }
  }

  /// Among how many partitions files of segments divide people, as the first of them says.
  ///
  /// - Throws: `SegmentError` where there is no segment.
  public static func partitionCount(of paths: [String]) throws(SegmentError) -> Int {
    for path in paths where path != "-" {
      if let head = try Reading(path).head() { return head.partitionCount }
    }
    throw .missing(
      "no segment is in what was named: name the files that `firstmile partition` wrote")
  }

  /// The files of segments that arguments name: files, and those in folders by their ending.
  ///
  /// - Parameter ending: such as `.segments`; named files may be called otherwise.
  public static func expand(
    _ arguments: [String], ending: String
  ) throws(SegmentError) -> [String] {
    var paths: [String] = []
    for argument in arguments {
      var isFolder = ObjCBool(false)
      let isThere = unsafe FileManager.default.fileExists(atPath: argument, isDirectory: &isFolder)
      if argument != "-" && !isThere { throw .unreadable(argument, "no such file or folder") }
      guard isFolder.boolValue else {
        paths.append(argument)
        continue
      }
      guard let names = try? FileManager.default.contentsOfDirectory(atPath: argument) else {
        throw .unreadable(argument, "the folder can't be listed")
      }
      let found = names.filter { $0.hasSuffix(ending) && !$0.hasPrefix(".") }.sorted()
      if found.isEmpty { throw .unreadable(argument, "no file in it is called '*\(ending)'") }
      paths += found.map { argument.hasSuffix("/") ? argument + $0 : "\(argument)/\($0)" }
    }
    var seen: Set<String> = []
    for path in paths where !seen.insert(path).inserted {
      throw .twice("'\(InputPath.shown(path))' is named twice: its people would count twice")
    }
    return paths
  }

  /// A file that is read from its beginning to its end.
  private final class Reading {
    private let path: String
    private let file: FileHandle
    private let canSeek: Bool
    private var offset = 0
    /// Where the segment at hand begins.
    private var start = 0

    init(_ path: String) throws(SegmentError) {
      self.path = path
      if path == "-" {
        file = .standardInput
        canSeek = false
      } else {
        guard let opened = FileHandle(forReadingAtPath: path) else {
          throw .unreadable(path, systemMessage(errno))
        }
        file = opened
        canSeek = true
      }
    }

    deinit { if canSeek { try? file.close() } }

    /// The next segment's head; `nil` at the end.
    func head() throws(SegmentError) -> PortableSegment.Head? {
      start = offset
      let bytes = try read(PortableSegment.headBytes)
      if bytes.isEmpty { return nil }
      do throws(SegmentProblem) {
        return try PortableSegment.head(bytes)
      } catch {
        switch error {
        case .foreign where bytes.count < PortableSegment.headBytes && start > 0:
          throw .truncated(path, start)
        case .foreign: throw .foreign(path, start, "a segment")
        case .version(let version):
          throw .version(path, version, read: Int(PortableSegment.version))
        case .damaged: throw .damaged(path, start)
        }
      }
    }

    func segment(_ head: PortableSegment.Head) throws(SegmentError) -> PortableSegment {
      let header = try read(head.headerCount)
      let body = try read(head.bodyCount)
      guard header.count == head.headerCount, body.count == head.bodyCount else {
        throw .truncated(path, start)
      }
      do throws(SegmentProblem) {
        return try PortableSegment(head, header: header, body: body)
      } catch {
        throw .damaged(path, start)
      }
    }

    /// Goes on behind a segment; one that is cut short is found out all the same.
    func skip(_ head: PortableSegment.Head) throws(SegmentError) {
      let count = head.headerCount + head.bodyCount
      guard canSeek else {
        if try read(count).count < count { throw .truncated(path, start) }
        return
      }
      if count == 0 { return }
      do {
        // The last byte is read, for a file may be left behind its end without an error.
        try file.seek(toOffset: UInt64(offset + count - 1))
      } catch {
        throw .unreadable(path, SystemReason.of(error))
      }
      offset += count - 1
      if try read(1).isEmpty { throw .truncated(path, start) }
    }

    private func read(_ count: Int) throws(SegmentError) -> [UInt8] {
      var bytes: [UInt8] = []
      while bytes.count < count {
        // In parts, so that a length that nobody wrote takes no memory.
        let part: Data?
        do {
          part = try file.read(upToCount: min(count - bytes.count, 1 << 24))
        } catch {
          throw .unreadable(path, SystemReason.of(error))
        }
        guard let part, !part.isEmpty else { break }
        bytes += part
      }
      offset += bytes.count
      return bytes
    }
  }
}
