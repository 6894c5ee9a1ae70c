/// The flow files of `flows/`, embedded at build time.
enum BuiltInFlows {
  static func bytes(_ name: String) -> [UInt8]? {
    switch name {
    case "memoss": PackageResources.memoss_yaml
    case "unforgotten": PackageResources.unforgotten_yaml
    case "aiq": PackageResources.aiq_yaml
    case "trendy": PackageResources.trendy_yaml
    case "dequeue": PackageResources.dequeue_yaml
    default: nil
    }
  }
}
