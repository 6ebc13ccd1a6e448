import type { ColumnType } from 'kysely'

/** Written as JSON text, read as the parsed value. */
export type Json<T> = ColumnType<T, string, string>
export type JsonOrNull<T> = ColumnType<T | null, string | null, string | null>
