/// What an id names; equal texts in two domains have unrelated hashes.
public enum IdentifierDomain: Sendable, Hashable, CaseIterable {
  case user, device, session
}
