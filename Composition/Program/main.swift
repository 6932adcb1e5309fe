import AuthCTLCommands

await runAuthCTL()
