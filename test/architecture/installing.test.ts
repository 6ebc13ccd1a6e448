import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkoutDir } from '../support/test-server.ts'
import { fieldOf, namesIn, textIn } from '../support/read-as.ts'

const read = (file: string): unknown => JSON.parse(readFileSync(join(checkoutDir, file), 'utf8'))

/** By name only: npm checks a version only where the lock file has the download address, and ours has none. */
test('every package that runs a script while it is installed is named, and no other', () => {
  const packages = fieldOf(read('package-lock.json'), 'packages')
  const withScripts = namesIn(packages)
    .filter((path) => fieldOf(packages, path, 'hasInstallScript') === true)
    .map((path) => path.slice(path.lastIndexOf('node_modules/') + 13))
  expect(withScripts.length).toBeGreaterThan(0)
  expect(namesIn(fieldOf(read('package.json'), 'allowScripts')).sort()).toEqual(withScripts.sort())
})

test('a script that runs one program becomes it, so that a signal to npm reaches the program', () => {
  const scripts = fieldOf(read('package.json'), 'scripts')
  const withoutExec = namesIn(scripts).filter((name) => textIn(scripts, name).startsWith('node '))
  expect(withoutExec).toEqual([])
  expect(fieldOf(scripts, 'start')).toMatch(/^exec (?:env (?:[A-Z_]+=\S+ )+)?node /)
})
