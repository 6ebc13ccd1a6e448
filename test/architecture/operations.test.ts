import { describe, expect, it } from 'vitest'
import type { AppOperation } from '../../src/contract/operation.ts'
import { appOperations } from '../../src/http/app/operations.ts'
import { readOperationsByFile } from '../support/app-operations.ts'

/** Every operation of the contract, in whatever file. */
const known = (await readOperationsByFile()).map(
  ({ file, name, operation }) => [`${file} ${name}`, operation] as const,
)

const addressOf = ({ method, url }: { method: string; url: string }): string => `${method} ${url}`

describe('the operations of the contract', () => {
  it('are the routes of the application: each one once, with one handler', () => {
    const contract = known.map(([, { method, path }]) => addressOf({ method, url: path }))
    expect(appOperations.map(addressOf).sort()).toEqual(contract.sort())
    expect(new Set(contract).size).toBe(contract.length)
    expect(contract.length).toBeGreaterThan(50)
  })

  it.each(known)('%s needs a session unless it says that anyone may call it', (_name, operation) => {
    const route = appOperations.find(
      ({ method, url }) => method === operation.method && url === operation.path,
    )
    expect(route?.credential).toBe(operation.permission === 'anyone' ? 'none' : 'session')
  })

  it.each(known)('%s is of a workspace when its permission is', (_name, { path, permission }) => {
    const isOfWorkspace = permission !== 'anyone' && permission !== 'signed_in'
    expect(path.includes('/workspaces/:slug')).toBe(isOfWorkspace)
  })

  /** What every member may do to themselves, whatever their role. */
  const ownActs = ['people/operations/members.ts leaveWorkspace']

  it.each(known)('%s changes something only with a permission of its own', (name, operation) => {
    const { method, permission } = operation
    if (method !== 'GET' && !ownActs.includes(name)) expect(permission).not.toBe('any_member')
  })

  it('say so where they answer a secret', () => {
    const namesOf = (isChosen: (operation: AppOperation) => boolean) =>
      known.flatMap(([name, operation]) => (isChosen(operation) ? [name] : []))
    const answering = namesOf(({ answer }) => typeof answer === 'object' && holdsSecret(answer.schema))
    expect(namesOf(({ answersSecret }) => answersSecret)).toEqual(answering)
    expect(answering.length).toBeGreaterThan(5)
  })
})

/** Whether a schema has, at any depth, a text that is called a secret, a password or a code of recovery, or a list of such. */
function holdsSecret(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  return Object.entries(schema).some(
    ([name, value]) =>
      (/secret|password|recoveryCode/i.test(name) && /"type":"string"/.test(JSON.stringify(value))) ||
      holdsSecret(value),
  )
}
