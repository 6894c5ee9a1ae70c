/// How the codes of one name table read in another; made by `NameTable.merge`.
public struct NameCodeMap: Sendable {
  let codes: [UInt32]

  /// The other table's code as a code of the merged table. Codes of names without a place keep
  /// their value: they hold no index, only a mark and a hash.
  public subscript(code code: UInt32) -> UInt32 {
    code < UInt32(codes.count) ? codes[Int(code)] : code
  }
}
