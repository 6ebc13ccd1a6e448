/** Limits of the public interface (docs/public-api.md). MB are binary; characters are Unicode code points. */
export const limits = {
  bodySentBytes: 4 * 1024 * 1024,
  bodyDecompressedBytes: 50 * 1024 * 1024,
  components: 50_000,
  statements: 50_000,
  requestsPerWindow: 60,
  rateWindowSeconds: 3600,
  versionCharacters: 100,
  commitCharacters: 80,
  branchCharacters: 300,
  repositoryCharacters: 300,
  runUrlCharacters: 2000,
  /** Levels of JSON nesting. */
  jsonDepth: 64,
  /** Objects and arrays in one document. */
  jsonContainers: 2_000_000,
  /** Commas and colons in one document. */
  jsonSeparators: 8_000_000,
  /** Products of a VEX document beside the first of each statement. */
  vexFurtherProducts: 200_000,
  /** Characters of a VEX document once each statement and product has its own copy of shared texts and identifiers. */
  vexCharacters: 100_000_000,
} as const
