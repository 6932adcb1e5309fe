/// Takes a value as if it were needed, so that the optimiser cannot drop the code that made it.
@inline(never)
@_optimize(none)
func blackHole<Value>(_ value: borrowing Value) {}
