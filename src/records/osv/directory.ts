/** The directory of the OSV bucket that holds an ecosystem's records: its name before `:`. */
export function directoryOf(ecosystem: string): string {
  const colon = ecosystem.indexOf(':')
  return colon === -1 ? ecosystem : ecosystem.slice(0, colon)
}
