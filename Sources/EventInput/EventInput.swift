// EventInput
