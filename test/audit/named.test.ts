import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { auditActionNames } from '../../src/contract/audit/shapes.ts'

const root = join(import.meta.dirname, '../..')

/** Most are in the tables of acts; some need another scene. */
it('every action of the audit trail is recorded in some test', () => {
  const tests = globSync('test/**/*.ts', { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'))
  expect(tests.length).toBeGreaterThan(300)
  expect(auditActionNames.filter((action) => !tests.some((text) => text.includes(`'${action}'`)))).toEqual([])
})
