import { readdirSync } from 'node:fs'
import type { AppOperation } from '../../src/contract/operation.ts'

const folder = new URL('../../src/contract/operations/', import.meta.url)

/** Every operation of the application, by its name. */
export async function readOperations(): Promise<Map<string, AppOperation>> {
  const operations = new Map<string, AppOperation>()
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.endsWith('operation.ts') || file.endsWith('.test.ts')) continue
    const contract = (await import(new URL(file, folder).href)) as Record<string, unknown>
    for (const [name, operation] of Object.entries(contract)) {
      if (isOperation(operation)) operations.set(name, operation)
    }
  }
  return operations
}

function isOperation(value: unknown): value is AppOperation {
  return typeof value === 'object' && value !== null && 'path' in value && 'permission' in value
}
