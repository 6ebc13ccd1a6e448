import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../platform/config/config.ts'

/** Of the program, as its package says. */
export async function packageVersion({ checkoutDir }: Pick<Config, 'checkoutDir'>): Promise<string> {
  const text = await readFile(join(checkoutDir, 'package.json'), 'utf8')
  const { version } = JSON.parse(text) as { version: string }
  return version
}
