/// What a flow file is drafted with: which events and properties play which part.
public struct FlowChoice: Sendable, Hashable {
  /// The event that begins the onboarding; `nil` where the view of the first step does.
  public var start: String?
  /// The event that ends it; `nil` where none is known to.
  public var end: String?
  /// How many days an attempt may take, where its end comes days later; `nil` for one.
  public var windowDays: Int?
  /// The event that leaves out the rest.
  var skip: String?
  /// The steps that are kept, in their order; `nil` for all that are found.
  public var steps: [String]?
  /// The property that says which variant a person has; `nil` for what the events say by
  /// themselves.
  public var variant: VariantCandidate?
  /// The event by which people come back; `nil` for any.
  public var activity: String?

  /// Whether somebody has been asked, so that nothing in it is a guess.
  public var isConfirmed = false

  /// Nothing is chosen: no start, no end, all steps that are found.
  public init() {}
}
