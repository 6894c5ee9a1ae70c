// Rows that a pipeline has marked as deleted: they are no events.
extension EventScanner {
  /// Whether the line has such a mark, or names another id of its user; nearly none does.
  @inline(__always)
  func isUnusual() -> Bool {
    unsafe state.pointee.unusualLeaves.first { leaves in
      // `ValueKind.missing` is 0.
      kinds(from: leaves.first) & leaves.mask != 0 ? true : nil
    } ?? false
  }

  /// The kinds of eight leaves, the first in the lowest byte.
  @inline(__always)
  func kinds(from first: Int) -> UInt64 {
    unsafe UInt64(
      littleEndian: UnsafeRawPointer(lines.kinds)
        .loadUnaligned(fromByteOffset: first, as: UInt64.self))
  }

  /// Whether the line is to be rejected for such a mark.
  @inline(never)
  func rejectDeleted() -> Bool {
    let marks = unsafe state.pointee.deletionLeaves
    for index in 0..<marks.count {
      let (leaf, number) = unsafe marks[index].pointee
      if unsafe lines.kinds[leaf] == ValueKind.missing { continue }
      let mark = DeletionMark.all[number]
      guard let text = unsafe scalarText(leaf), unsafe says(text, mark.meaning) else { continue }
      if mark.fate == .changedByLog {
        unsafe state.pointee.changedRows += 1
        return false
      }
      _ = reject(
        mark.fate == .gone ? .deleted : .deletedByLog,
        "marked by '\(mark.path.joined(separator: "."))'")
      return true
    }
    return false
  }

  /// Whether a text can be the time of a deletion: no word for a missing one, nor the beginning of
  /// 1970, which stands for it where a column can't be empty.
  private func isTime(_ text: UnsafeRawBufferPointer) -> Bool {
    let isWord = unsafe text.isEmpty || text.elementsEqual("NaT".utf8)
    return unsafe !isWord && !text.starts(with: "1970-01-01".utf8)
      && UntypedValue.truth(text) != false && PlaceholderIdentifier.of(text) == nil
  }

  private func says(_ text: UnsafeRawBufferPointer, _ meaning: DeletionMark.Meaning) -> Bool {
    switch meaning {
    case .truth(let wanted): unsafe UntypedValue.truth(text) == wanted
    case .anything: unsafe isTime(text)
    case .text(let wanted): wanted.withUTF8Buffer { unsafe text.elementsEqual($0) }
    }
  }
}
