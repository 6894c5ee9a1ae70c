import FlowDefinition
import Foundation

/// Opens pages with the desktop's own program: `open` on macOS, `xdg-open` elsewhere. Without a
/// display, or without the program, it says so and nothing else happens.
enum PageOpener {
  #if os(macOS)
    private static let program = "open"
  #else
    private static let program = "xdg-open"
  #endif

  /// Whether there is a display that a page could be seen on.
  static var hasDisplay: Bool {
    #if os(macOS)
      return true
    #else
      let environment = ProcessInfo.processInfo.environment
      return ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"].contains { !(environment[$0] ?? "").isEmpty }
    #endif
  }

  static func open(_ pages: [String]) {
    guard hasDisplay else {
      Console.message("there is no display to open the page on")
      return
    }
    guard let path = place(of: program) else {
      Console.message("'\(program)' is not installed: open the page yourself")
      return
    }
    for page in pages {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: path)
      // An absolute path: a name may begin with a dash.
      process.arguments = [URL(fileURLWithPath: page).path]
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      do {
        // Not waited for: the browser may be the program's child for hours.
        try process.run()
      } catch {
        Console.message("'\(program)' can't be started: \(SystemReason.of(error))")
      }
    }
  }

  private static func place(of program: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return path.split(separator: ":").map { "\($0)/\(program)" }
      .first { unsafe access($0, X_OK) == 0 && !ReportFolder.isFolder($0) }
  }
}
