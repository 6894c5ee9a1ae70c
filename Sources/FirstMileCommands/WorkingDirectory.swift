import EventInput
import FlowDefinition
import Foundation
import Synchronization

/// The working directory's project file, read once.
enum WorkingDirectory {
  private static let wasTold = Mutex(false)

  /// The defaults of `firstmile.yaml`; `nil` where there is none.
  ///
  /// - Throws: all mistakes in it, with their places, or why it can't be read.
  static func project() throws -> ProjectFile? {
    guard FileManager.default.fileExists(atPath: ProjectFile.name) else { return nil }
    if ReportFolder.isFolder(ProjectFile.name) {
      throw CommandError(
        "\(ProjectFile.name): is a folder, and a file with the defaults of this working directory "
          + "is looked for; rename it, or give --no-project-file")
    }
    let bytes: [UInt8]
    do {
      bytes = try SmallFile.bytes(atPath: ProjectFile.name)
    } catch {
      throw CommandError("\(ProjectFile.name): can't be read: \(SystemReason.of(error))")
    }
    do {
      return try ProjectFileParser.parse(
        bytes: bytes, file: ProjectFile.name, formats: EventFormat.Name.allCases.map(\.rawValue)
      ) { MemorySize(argument: $0) != nil }
    } catch {
      throw CommandError(
        lines: HiddenScalars.escaped(error.description, keepsLines: true)
          + "\n(--no-project-file goes without it)")
    }
  }

  /// Says once what a command takes from it.
  ///
  /// - Parameter out: the report's folder, if the command takes that too.
  static func tell(_ used: ProjectFile, out: String?) {
    let taken = [
      ("flow", used.flows), ("inputs", used.inputs), ("store", [used.store].compactMap { $0 }),
      ("out", [out].compactMap { $0 }),
    ].filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1.joined(separator: " "))" }
    let isFirst = wasTold.withLock { wasTold in
      defer { wasTold = wasTold || !taken.isEmpty }
      return !wasTold
    }
    if isFirst && !taken.isEmpty {
      Console.message("using \(ProjectFile.name): \(taken.joined(separator: ", "))")
    }
  }
}
