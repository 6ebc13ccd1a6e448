import type { Db, Tx } from './connection.ts'

/** What happens around each transaction. */
export type Around = {
  /** Its first statements. */
  begin: (tx: Tx) => Promise<void>
  committed?: () => void
}

const plain = Symbol('the database whose transactions begin with nothing')

/** The same database, whose transactions begin with certain statements. One with an isolation level of its own, which only reads, does not. */
export function beginningWith(db: Db, { begin, committed }: Around): Db {
  const transaction = () => {
    const builder = db.transaction()
    const execute = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
      const result = await db.transaction().execute(async (tx) => {
        await begin(tx)
        return work(tx)
      })
      committed?.()
      return result
    }
    return Object.assign(builder, { execute })
  }
  return new Proxy(db, {
    get(target, name) {
      if (name === 'transaction') return transaction
      if (name === plain) return target
      const value: unknown = Reflect.get(target, name, target)
      // its methods use private fields
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}

/** The database as it was: for what comes before an act and is no part of it. */
export function besideAct(db: Db): Db {
  return (Reflect.get(db, plain) as Db | undefined) ?? db
}
