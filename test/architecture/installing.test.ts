import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkoutDir } from '../support/test-server.ts'

const read = (file: string): unknown => JSON.parse(readFileSync(join(checkoutDir, file), 'utf8'))

/** By name only: npm checks a version only where the lock file has the download address, and ours has none. */
test('every package that runs a script while it is installed is named, and no other', () => {
  const { allowScripts } = read('package.json') as { allowScripts: Record<string, boolean> }
  const { packages } = read('package-lock.json') as {
    packages: Record<string, { hasInstallScript?: boolean }>
  }
  const withScripts = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 13))
  expect(withScripts.length).toBeGreaterThan(0)
  expect(Object.keys(allowScripts).sort()).toEqual(withScripts.sort())
})

test('a script that runs one program becomes it, so that a signal to npm reaches the program', () => {
  const { scripts } = read('package.json') as { scripts: Record<string, string> }
  const withoutExec = Object.entries(scripts).filter(([, command]) => command.startsWith('node '))
  expect(withoutExec).toEqual([])
  expect(scripts['start']).toMatch(/^exec (?:env (?:[A-Z_]+=\S+ )+)?node /)
})
