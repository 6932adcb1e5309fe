import authctl

await runAuthCTL()
