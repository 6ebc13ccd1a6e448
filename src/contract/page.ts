/** Pages hold up to 100 rows; `nextCursor` is opaque and null on the last page. */
export type Page<T> = { rows: T[]; nextCursor: string | null; total: number }
