/// Which counts a file may hold: a crafted one must not make a sum overflow.
public enum WrittenNumbers {
  /// 2^40: a hundred thousand partitions with so many people still have a sum.
  public static let most = 1 << 40

  /// Whether all counts are from 0 to ``most``.
  public static func areSound(_ counts: some Sequence<Int>) -> Bool {
    counts.allSatisfy { 0...most ~= $0 }
  }

  /// Whether all counts in a small value are sound, in whichever of its members they are.
  public static func areSound(in value: Any) -> Bool {
    if let count = value as? Int { return areSound(CollectionOfOne(count)) }
    return Mirror(reflecting: value).children.allSatisfy { areSound(in: $0.value) }
  }
}
