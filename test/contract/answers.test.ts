import { Type } from 'typebox'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { operations } from '../../src/http/routes.ts'
import { readOperations } from '../support/app-operations.ts'
import { endBoth } from '../support/http.ts'
import { faultsIn } from '../support/judge-answer.ts'
import { openAppScene, type AppScene } from '../support/app-scene.ts'

let { store, http, owner: session } = {} as AppScene
beforeAll(async () => {
  ;({ store, http, owner: session } = await openAppScene())
})
afterAll(() => endBoth(http, store))

it('tells a test which operation answered what its schema does not describe', async () => {
  const listSources = operations.find(({ name }) => name === 'listSources')
  if (listSources === undefined) throw new Error('there is no listSources')
  const other = Type.Object({ sources: Type.Array(Type.String()), switchedOff: Type.Null() })
  const schema = vi.spyOn(listSources, 'answerSchema').mockReturnValue(other)
  onTestFinished(() => schema.mockRestore())
  await expect(session.send('/workspaces/acme/sources')).rejects.toThrow(
    'listSources (GET /api/app/workspaces/:slug/sources): ',
  )
})

it('names the place, what is expected there and what was found', () => {
  const Row = Type.Object({ at: Type.String({ format: 'date-time' }), state: Type.Enum(['open', 'closed']) })
  const schema = Type.Object({ rows: Type.Array(Row), next: Type.Optional(Type.Union([Row, Type.Null()])) })
  const row = { at: '2026-01-31T00:00:00.000Z', state: 'open' }
  expect(faultsIn(schema, { rows: [row], next: null })).toEqual([])
  expect(faultsIn(schema, { rows: [row, { ...row, state: 'new' }] })).toEqual([
    'rows/1/state must be equal to one of the allowed values {"allowedValues":["open","closed"]}, found "new"',
  ])
  expect(faultsIn(schema, { rows: [{ ...row, at: 'yesterday' }] })).toEqual([
    'rows/0/at must match format "date-time" {"format":"date-time"}, found "yesterday"',
  ])
  expect(faultsIn(schema, { rows: [], secret: 'x' })[0]).toContain('"additionalProperties":["secret"]')
  expect(faultsIn(schema, {})[0]).toContain('"requiredProperties":["rows"]')
  expect(faultsIn(schema, { rows: [], next: { at: row.at } })[0]).toContain(
    'next must have required properties state',
  )
})

/** The keywords the check fully supports: with `allOf` it could not tell which fields are unexpected. */
const understood = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', 'patternProperties', 'items', 'anyOf'],
  ...[
    'enum',
    'const',
    'format',
    'pattern',
    'minimum',
    'maximum',
    'minItems',
    'maxItems',
    'title',
    'description',
  ],
])

it('knows of every answer which fields it has', async () => {
  for (const [name, { answer }] of await readOperations()) {
    if (answer === 'file' || answer === 'page' || answer.schema === null) continue
    const foreign = keywordsOf(JSON.parse(JSON.stringify(answer.schema))).filter(
      (word) => !understood.has(word),
    )
    expect({ name, foreign }).toEqual({ name, foreign: [] })
  }
})

function keywordsOf(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(keywordsOf)
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([word, value]) => [
    word,
    ...(word === 'properties' || word === 'patternProperties' ? Object.values(value as object) : [value])
      .filter((part) => typeof part === 'object' && word !== 'enum' && word !== 'required')
      .flatMap(keywordsOf),
  ])
}
