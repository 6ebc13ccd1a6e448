import type { Kysely, Transaction } from 'kysely'
import type { Tables } from './tables.ts'

/** The database, or a transaction on it: data functions take either and work the same inside and outside. */
export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>
