/// A place where compressed or archived data is broken; what came before it is kept.
public struct InputDamage: Sendable, Hashable, CustomStringConvertible {
  /// Offset in the file as it lies on disk, in bytes from its start: near the damage, not before
  /// the first broken byte was read; 0 where no place in the file is known.
  public var byteOffset: Int
  /// What is broken, in words.
  public var message: String

  /// Damage near an offset; 0 where no place in the file is known.
  public init(byteOffset: Int, message: String) {
    self.byteOffset = byteOffset
    self.message = message
  }

  /// The message, after the offset where one is known.
  public var description: String {
    byteOffset > 0 ? "at byte \(byteOffset): \(message)" : message
  }
}
