import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const mainFile = join(import.meta.dirname, '../../src/main.ts')

/** Where a run of tests answers once the web application is built; the first question has it built. */
export const builtWebVariable = 'BUILT_WEB_URL'

/** Builds it where it is missing or older than its sources. */
export async function buildWeb(): Promise<string> {
  await promisify(execFile)(process.execPath, [mainFile, 'build-web'])
  return 'built'
}

/** For whoever starts services: several would build it beside each other. Outside a run of tests the service does it itself. */
export async function untilWebIsBuilt(): Promise<void> {
  const url = process.env[builtWebVariable]
  if (url === undefined) return
  const response = await fetch(url)
  if (!response.ok) throw new Error(`The web application was not built: ${await response.text()}`)
}
