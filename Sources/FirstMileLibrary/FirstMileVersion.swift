/// The version of FirstMile, in the one place where it is written.
public enum FirstMileVersion {
  /// Major, minor and patch, such as `1.2.3`: what `firstmile --version` says, and what reports
  /// name as their maker.
  public static let current = "0.2.0"
}
