import FleetModel

FleetReport.printTable(clients: 200_000)
