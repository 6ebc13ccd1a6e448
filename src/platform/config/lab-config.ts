import { text, type Environment } from './environment.ts'

/** Null: as outside of a laboratory. */
export type LabSettings = {
  clockOffsetFile: string | null
  dnsServer: string | null
  dialMap: Readonly<Record<string, string>> | null
}

/** The seams of the test laboratory; none of them may exist in production. */
export function readLab(
  env: Environment,
  { isProduction, mistakes }: { isProduction: boolean; mistakes: string[] },
): LabSettings {
  if (isProduction) {
    for (const name of Object.keys(env)
      .filter((key) => key.startsWith('LAB_'))
      .sort()) {
      mistakes.push(`${name}: refused because NODE_ENV is production`)
    }
  }
  return {
    clockOffsetFile: text(env['LAB_CLOCK_OFFSET_FILE']),
    dnsServer: text(env['LAB_DNS_SERVER']),
    dialMap: readDialMap(text(env['LAB_DIAL_MAP']), mistakes),
  }
}

function readDialMap(value: string | null, mistakes: string[]): Record<string, string> | null {
  if (value === null) return null
  try {
    const map: unknown = JSON.parse(value)
    if (
      typeof map === 'object' &&
      map !== null &&
      Object.values(map).every((target) => typeof target === 'string')
    ) {
      return map as Record<string, string>
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  mistakes.push('LAB_DIAL_MAP: expected a JSON object of "address:port" to "address:port"')
  return null
}
