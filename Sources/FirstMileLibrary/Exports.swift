// What a program with the front door needs to say: flows and events. Everything else that a result
// is made of is a product of its own, for those who want it: `import FunnelReport`.
@_exported public import FlowDefinition
@_exported public import OnboardingEvents
