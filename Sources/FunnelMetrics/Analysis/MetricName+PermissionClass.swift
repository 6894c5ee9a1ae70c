package import FlowDefinition
package import FunnelEngine

extension MetricName {
  /// People by their class of a permission.
  package static func permissionClass(_ answer: PermissionClass) -> MetricName {
    switch answer {
    case .granted: permissionClassGranted
    case .denied: permissionClassDenied
    case .error: permissionClassError
    case .restricted: permissionClassRestricted
    case .alreadyDecided: permissionClassAlreadyDecided
    case .notNow: permissionClassNotNow
    case .noResult: permissionClassNoResult
    }
  }
}
