import Testing

extension Tag {
  /// Worth a run under the thread sanitizer.
  @Tag static var concurrency: Self
}
