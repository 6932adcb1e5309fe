import Simulation

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments == ["fleet"] {
  FleetReport.printTable(clients: 200_000)
} else {
  SimulateCommand(arguments: arguments).run()
}
