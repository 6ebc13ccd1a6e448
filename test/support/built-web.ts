import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const mainFile = join(import.meta.dirname, '../../src/main.ts')

/** URL that builds the web application on the first request of a test run. */
export const builtWebVariable = 'BUILT_WEB_URL'

/** Builds it if it is missing or older than its sources. */
export async function buildWeb(): Promise<string> {
  await promisify(execFile)(process.execPath, [mainFile, 'build-web'])
  return 'built'
}

/** For tests that start services, which would otherwise build it in parallel. Outside a test run the service builds it itself. */
export async function untilWebIsBuilt(): Promise<void> {
  const url = process.env[builtWebVariable]
  if (url === undefined) return
  const response = await fetch(url)
  if (!response.ok) throw new Error(`The web application was not built: ${await response.text()}`)
}
