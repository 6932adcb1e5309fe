import AuthenticationDomain
import Simulation
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// `simulate --seeds N [--from N]` runs many worlds; `simulate --seed N --trace` replays one. With `--no-extras` a seed
/// makes the world that it made before there were lost locks, commands, challenges, servers' dates and attempts.
struct SimulateCommand {
  private var seeds: UInt64 = 10_000
  private var from: UInt64 = 0
  private var seed: UInt64?
  private var isTracing = false
  private var hasExtras = true

  init(arguments: [String]) {
    var arguments = arguments[...]
    while let option = arguments.popFirst() {
      switch option {
      case "--seeds": seeds = Self.number(&arguments, of: option)
      case "--from": from = Self.number(&arguments, of: option)
      case "--seed": seed = Self.number(&arguments, of: option)
      case "--trace": isTracing = true
      case "--no-extras": hasExtras = false
      default: Self.refuse("unknown option '\(option)'")
      }
    }
  }

  private static func number(_ arguments: inout ArraySlice<String>, of option: String) -> UInt64 {
    guard let number = arguments.popFirst().flatMap({ UInt64($0) }) else { refuse("\(option) needs a number") }
    return number
  }

  private static func refuse(_ problem: String) -> Never {
    print("simulate: \(problem)\nusage: simulate [--no-extras] [--seeds N] [--from N] | --seed N [--trace] | fleet")
    exit(64)
  }

  func run() {
    if let seed, isTracing {
      let (lines, violation) = Simulation.trace(seed: seed, hasExtras: hasExtras)
      for line in lines { print(line) }
      print("seed \(seed): \(violation ?? "all well")")
      exit(violation == nil ? 0 : 1)
    }
    let range = seed.map { $0..<$0 + 1 } ?? from..<from + seeds
    runAll(range)
  }

  private func runAll(_ range: Range<UInt64>) {
    let start = ContinuousClock.now
    var lastWord = start
    var sum = Summary()
    for seed in range {
      do throws(FailedSeed) {
        sum += try Simulation.run(seed: seed, hasExtras: hasExtras)
      } catch {
        print(error)
        print("found at the \(sum.seeds + 1)th seed")
        exit(1)
      }
      if lastWord.duration(to: .now) > .seconds(10) {
        lastWord = .now
        print("\(sum.seeds) seeds, \(rate(sum, since: start)) seeds/s")
        fflush(nil)
      }
    }
    print(table(sum, rate(sum, since: start)))
  }

  private func rate(_ sum: Summary, since start: ContinuousClock.Instant) -> Int {
    Int(Double(sum.seeds) / max(0.001, start.duration(to: .now) / .seconds(1)))
  }

  private func table(_ sum: Summary, _ rate: Int) -> String {
    let reasons = sum.signOuts.sorted { $0.key.description < $1.key.description }
    let rows: [(String, Int)] =
      [
        ("seeds", sum.seeds), ("steps", sum.steps), ("intents", sum.intents), ("refreshes", sum.refreshes),
        ("answers lost", sum.lostAnswers), ("writes done and denied", sum.deniedWrites),
        ("watches lost", sum.lostWatches), ("locks lost", sum.lostLocks), ("challenges", sum.challenges),
        ("servers' dates", sum.serverDates), ("attempts", sum.attempts), ("attempts given up", sum.attemptsGivenUp),
        ("pending steps resumed", sum.stepsResumed), ("processes killed", sum.kills), ("processes stopped", sum.stops),
        ("managers drained", sum.drains),
      ] + reasons.map { ("signed out: \($0.key)", $0.value) } + [("seeds per second", rate)]
    return rows.map { name, count in "\(name)".padded(to: 28) + "\(count)" }.joined(separator: "\n")
      + "\nno invariant was broken"
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}
