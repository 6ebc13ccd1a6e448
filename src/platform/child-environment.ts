/** The environment of a child process: this one's, with some variables set. */
export function childEnvironment(overrides: Record<string, string>): Record<string, string | undefined> {
  return { ...process.env, ...overrides }
}
