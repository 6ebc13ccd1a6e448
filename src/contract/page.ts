import { Type, type TSchema } from 'typebox'
import { nullable } from './schema.ts'

/** Pages hold up to 100 rows; `nextCursor` is opaque and null on the last page. */
export type Page<T> = { rows: T[]; nextCursor: string | null; total: number }

export function Page<Row extends TSchema>(row: Row) {
  return Type.Object({ rows: Type.Array(row), nextCursor: nullable(Type.String()), total: Type.Number() })
}
