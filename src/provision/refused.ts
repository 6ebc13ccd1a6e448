import { ServiceError } from '../contract/errors.ts'

/** Thrown for a document that cannot be provisioned as it is, with the places and reasons in words. */
export class ProvisionRefused extends Error {
  override name = 'ProvisionRefused'
}

/** What `make` makes. Where the service refuses to, the message says of what, and names every field. */
export async function inWords<T>(what: string, make: () => Promise<T>): Promise<T> {
  try {
    return await make()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const fields = Object.entries(error.fields ?? {}).map(([field, problem]) => `  ${field}: ${problem}`)
    throw new ProvisionRefused([`${what}: ${error.message}`, ...fields].join('\n'), { cause: error })
  }
}
