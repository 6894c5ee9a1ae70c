import FlowDefinition

extension LineWriter {
  /// What stands between the braces of `properties`.
  func writeProperties(_ record: EventRecord) {
    switch record.kind {
    case .activity, .broken: break
    case .started:
      if record.a != EventRecord.none { buffer.append(tables.templateProperties[Int(record.a)]) }
    case .viewed:
      writePage(record)
      if record.identity.contains(.swiped) { append(",\"navigation\":\"swipe\"") }
      if record.identity.contains(.tapped) { append(",\"navigation\":\"button\"") }
    case .stepSkipped:
      buffer.append(tables.pages[Int(record.a)])
      if record.b != EventRecord.none {
        append(",\"item\":")
        buffer.append(tables.items[Int(record.b)])
      }
    case .skipped: writeSkippedPage(record)
    case .completed: writeMethod(record)
    case .prompted:
      append("\"permission\":")
      buffer.append(tables.permissions[Int(record.a)])
    case .result: writeResult(record)
    case .happening: buffer.append(tables.templateProperties[Int(record.a)])
    }
  }

  private func writePage(_ record: EventRecord) {
    let position = Int64(record.b)
    switch record.style {
    case .nameOnly:
      buffer.append(tables.pages[Int(record.a)])
    case .numberOnly:
      append("\"page_number\":")
      buffer.append(number: position + Int64(world.flow.countsFrom))
    case .nameAndIndex:
      append("\"page_index\":")
      buffer.append(number: position)
      buffer.append(44)
      buffer.append(tables.pages[Int(record.a)])
    default:
      append("\"page_number\":")
      buffer.append(number: position + Int64(world.flow.countsFrom))
      buffer.append(44)
      buffer.append(tables.pages[Int(record.a)])
    }
  }

  private func writeSkippedPage(_ record: EventRecord) {
    guard record.a != EventRecord.none else { return }
    append("\"skipped_at_page\":")
    if record.style == .numberOnly {
      buffer.append(number: Int64(record.b) + Int64(world.flow.skipsCountFrom))
    } else {
      buffer.append(tables.pageNames[Int(record.a)])
    }
  }

  private func writeMethod(_ record: EventRecord) {
    switch record.a {
    case 0: append("\"completion_method\":\"finished\"")
    case 1: append("\"completion_method\":\"skipped\"")
    default: break
    }
  }

  private func writeResult(_ record: EventRecord) {
    append("\"permission\":")
    buffer.append(tables.permissions[Int(record.a)])
    append(",\"status\":\"")
    buffer.append(tables.statuses[Int(record.b)])
    buffer.append(34)
    switch record.style {
    case .prompted, .promptedInSettings: append(",\"prompted\":true")
    case .notPrompted, .settings: append(",\"prompted\":false")
    default: break
    }
    switch record.style {
    case .promptedInSettings, .settings: append(",\"source\":\"settings\"")
    default: break
    }
  }
}
