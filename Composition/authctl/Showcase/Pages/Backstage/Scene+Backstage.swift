import AuthenticationTestingServers

/// The way of the data, what is stored of it, what the servers received, and what can be done to all of it.
extension Scene {
  var backstageRegion: HTML {
    HTML.joined([
      HTML("h2", ["id": "backstage-heading"]) { "Backstage" },
      trail,
      HTML("div", ["class": "pair"]) {
        sessionCard
        requests
      },
      switches,
    ])
  }

  private var trail: HTML {
    HTML("div", ["class": "trail"]) {
      HTML("ol", ["id": "trail"]) {
        for station in Backstage.Station.allCases {
          let step = backstage.trail.last { $0.station == station }
          HTML(
            "li",
            [
              "data-station": station.rawValue, "data-number": step.map { "\($0.number)" },
              "class": step == nil ? nil : "lit",
            ]
          ) {
            HTML("span", ["class": "dot", "aria-hidden": "true"])
            HTML("strong") { station.name }
            HTML("span", ["class": "what"]) { step?.title ?? "–" }
          }
        }
      }
      if !backstage.trail.isEmpty {
        HTML("details") {
          HTML("summary") { backstage.trail.count.counted("step") }
          HTML("ol", ["class": "steps"]) {
            for step in backstage.trail.suffix(24) {
              HTML("li") {
                HTML("span", ["class": "faint"]) { step.station.name }
                " "
                HTML.foreign(step.title)
                if !step.detail.isEmpty {
                  HTML("span", ["class": "faint"]) {
                    " "; HTML.foreign(step.detail)
                  }
                }
              }
            }
          }
        }
      }
    }
  }

  private var requests: HTML {
    HTML("section", ["id": "requests", "class": "panel"]) {
      HTML("h3") { "Requests the server received" }
      if backstage.requests.isEmpty {
        HTML("p", ["class": "faint"]) { "None yet." }
      } else {
        HTML("ol") {
          for request in backstage.requests.suffix(8).reversed() {
            HTML("li") {
              HTML("span", ["class": "verb"]) { request.method }
              " "
              HTML("span", ["class": "path"]) { HTML.foreign(request.path) }
              if let count = request.count, count > 1 { HTML("span", ["class": "count"]) { "× \(count)" } }
              if let status = request.status { HTML("span", ["class": "status"]) { "\(status)" } }
            }
          }
        }
      }
    }
  }

  private var switches: HTML {
    HTML("section", ["class": "panel"]) {
      HTML("h3") { "What if …" }
      form(["id": "switches"]) {
        for step in product.world.switches {
          HTML(
            "button",
            [
              "name": "intent", "value": "switch:\(step.id)", "class": "switch",
              "aria-pressed": backstage.switches[step.id].map { $0 ? "true" : "false" },
            ]
          ) {
            HTML("strong") { step.title }
            HTML("span") { step.sentence }
          }
        }
      }
    }
  }
}
