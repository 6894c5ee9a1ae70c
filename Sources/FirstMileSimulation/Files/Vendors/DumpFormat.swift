/// Whose export a dump is to look like.
public enum DumpFormat: String, Sendable, Hashable, CaseIterable {
  case canonical, segment, rudderstack, amplitude, mixpanel, posthog, ga4
}
