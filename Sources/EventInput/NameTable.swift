/// Names as small codes; the bounded table of SPEC 14.
///
/// Code 0 is "missing". Declared names have the codes 1, 2, 3 …; other names follow as they are
/// seen, but only the `limit` with the smallest stable hash keep a code of their own. A name that
/// a smaller hash has pushed out keeps its old code, which from then on reads as `(other)`: so the
/// set of names that are kept depends only on the set of names seen, never on their order, and two
/// tables merge into the table that one pass over both would have made.
public struct NameTable: Sendable {
  /// The code of every name that has no place (tables that don't tell others apart).
  public static let other: UInt32 = 0xFFFF_FFFF
  /// Set in the codes of names without a place in tables that tell them apart.
  public static let otherFlag: UInt32 = 0x8000_0000
}
