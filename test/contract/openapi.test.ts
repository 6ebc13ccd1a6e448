import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, it } from 'vitest'
import { openapiOf } from '../../src/http/app/routing/openapi.ts'
import { readOperations } from '../support/app-operations.ts'

it('makes an OpenAPI document of the operations of the application', async () => {
  const operations = await readOperations()
  const document = openapiOf(operations)
  expect(operationIdsOf(document)).toEqual([...operations.keys()].sort())
  const config = await createConfig({ extends: ['spec'] })
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: 'openapi.json',
    config,
  })
  expect(problems.map(({ message, location: [place] }) => `${place?.pointer ?? ''}: ${message}`)).toEqual([])
})

function operationIdsOf({ paths }: { paths?: unknown }): string[] {
  return Object.values(paths as Record<string, Record<string, { operationId: string }>>)
    .flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
    .sort()
}
