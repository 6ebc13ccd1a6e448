import { sql } from 'kysely'

/** Declared not affected or fixed by the effective verdict of a finding `f`: counted apart and hidden by default. */
export const isSettled = sql<boolean>`coalesce(f.verdict in ('not_affected', 'fixed'), false)`
