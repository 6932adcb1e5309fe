import Simulation

SimulateCommand(arguments: Array(CommandLine.arguments.dropFirst())).run()
