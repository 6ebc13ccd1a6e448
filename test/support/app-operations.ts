import { readdirSync } from 'node:fs'
import type { AppOperation } from '../../src/contract/operation.ts'

const folder = new URL('../../src/contract/', import.meta.url)
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (name) => /(^|-|\/)operations(\.ts$|\/)/.test(name) && name.endsWith('.ts') && !name.startsWith('public/'),
)

/** Every operation of the application, by name. */
export async function readOperations(): Promise<Map<string, AppOperation>> {
  const operations = await readOperationsByFile()
  return new Map(operations.map(({ name, operation }) => [name, operation]))
}

/** The same with the contract file of each. */
export async function readOperationsByFile(): Promise<
  { file: string; name: string; operation: AppOperation }[]
> {
  const operations = []
  for (const file of files) {
    const contract = (await import(new URL(file, folder).href)) as Record<string, unknown>
    for (const [name, operation] of Object.entries(contract)) {
      if (isOperation(operation)) operations.push({ file, name, operation })
    }
  }
  return operations
}

function isOperation(value: unknown): value is AppOperation {
  return typeof value === 'object' && value !== null && 'path' in value && 'permission' in value
}
