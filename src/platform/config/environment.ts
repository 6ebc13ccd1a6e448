/** The variables that a process was started with. A reader adds what is wrong to `mistakes`, in words that name the variable. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Without spaces around it; null where it is not set or empty. */
export function text(value: string | undefined): string | null {
  const trimmed = value?.trim() ?? ''
  return trimmed === '' ? null : trimmed
}

/** On unless it says `off`. */
export function readSwitch(env: Environment, name: string, mistakes: string[]): boolean {
  const value = text(env[name]) ?? 'on'
  if (value !== 'on' && value !== 'off') mistakes.push(`${name}: expected on or off, found "${value}"`)
  return value === 'on'
}

/** Of a page of the operator's. */
export function readPage(env: Environment, name: string, mistakes: string[]): string | null {
  const value = text(env[name])
  if (value === null) return null
  if (URL.canParse(value) && /^https?:/.test(value)) return new URL(value).href
  mistakes.push(`${name}: expected an http or https address, found "${value}"`)
  return null
}

/** Null where it is not set. */
export function readPort(env: Environment, name: string, mistakes: string[]): number | null {
  const value = text(env[name])
  if (value === null) return null
  const port = Number(value)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  mistakes.push(`${name}: expected a port number from 0 to 65535, found "${value}"`)
  return null
}

type CountRule = { from: number; to: number; standard: number; mistakes: string[] }

export function readCount(
  env: Environment,
  name: string,
  { from, to, standard, mistakes }: CountRule,
): number {
  const value = text(env[name])
  if (value === null) return standard
  const count = Number(value)
  if (Number.isInteger(count) && count >= from && count <= to) return count
  mistakes.push(`${name}: expected a whole number from ${from} to ${to}, found "${value}"`)
  return standard
}
