#if !canImport(Security)
#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The folder of a file, or the nearest existing folder above it.
struct WatchedPlace {
  /// The kernel's watch descriptor for the folder.
  let number: Int32
  /// The entry that is watched for: the file, or the next folder on the path to it.
  let entry: String
  var isFolderOfFile = true

  private static let events = UInt32(
    IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE | IN_MOVE_SELF | IN_ONLYDIR)

  /// Begins to watch. Nil if the nearest existing folder cannot be watched.
  static func nearest(to entry: String, in folder: String, by descriptor: Int32) -> Self? {
    let number = unsafe inotify_add_watch(descriptor, folder, events)
    if number >= 0 { return Self(number: number, entry: entry) }
    guard errno == ENOENT, let (parent, name) = split(folder),
      var place = nearest(to: name, in: parent, by: descriptor)
    else { return nil }
    // Folders created before the parent was watched are not reported.
    if OwnedFile.exists(folder) { return nearest(to: entry, in: folder, by: descriptor) }
    place.isFolderOfFile = false
    return place
  }

  private static func split(_ folder: String) -> (parent: String, name: String)? {
    let names = folder.split(separator: "/")
    guard let name = names.last else { return nil }
    return ((folder.hasPrefix("/") ? "/" : "./") + names.dropLast().joined(separator: "/"), String(name))
  }
}

extension InotifyEvent {
  /// An event without a name concerns the folder itself.
  func concerns(_ place: WatchedPlace) -> Bool {
    isOverflow || number == place.number && (name == place.entry || isEndOfFolder)
  }

  func changesTheWay(to place: WatchedPlace) -> Bool { isOverflow || isEndOfFolder || !place.isFolderOfFile }
}
#endif
