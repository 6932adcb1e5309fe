/// Takes a value as if it were needed, so that the optimiser cannot drop what made it.
@inline(never)
@_optimize(none)
func blackHole<Value>(_ value: borrowing Value) {}
