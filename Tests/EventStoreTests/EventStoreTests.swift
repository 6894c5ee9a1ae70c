import EventStore
import Testing
