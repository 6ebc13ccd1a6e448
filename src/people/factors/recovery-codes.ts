import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../database/connection.ts'

const codesAtOnce = 10
const codeLetters = 16
/** Crockford's base 32: no two letters look alike. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** New codes for a person, in groups of four letters; those of before end. */
export async function makeRecoveryCodes(
  tx: Tx,
  { personId, now }: { personId: string; now: Date },
): Promise<string[]> {
  const codes = Array.from({ length: codesAtOnce }, newCode)
  await tx.deleteFrom('recovery_code').where('person_id', '=', personId).execute()
  await tx
    .insertInto('recovery_code')
    .values(
      codes.map((code) => ({
        person_id: personId,
        code_hash: hashOf(code),
        created_at: now,
        used_at: null,
      })),
    )
    .execute()
  return codes
}

/** 80 random bits: five of each byte. */
function newCode(): string {
  const letters = [...randomBytes(codeLetters)].map((byte) => alphabet[byte & 31] ?? '')
  return [0, 4, 8, 12].map((start) => letters.slice(start, start + 4).join('')).join('-')
}

/** Consumes a code. False when it is none of the person's, or was used. */
export async function takeRecoveryCode(
  tx: Tx,
  { personId, code, now }: { personId: string; code: string; now: Date },
): Promise<boolean> {
  const used = await sql`
    update recovery_code set used_at = ${now}
    where person_id = ${personId} and code_hash = ${hashOf(code)} and used_at is null`.execute(tx)
  return used.numAffectedRows === 1n
}

/** Misread letters count as the intended ones; case, spaces and dashes are ignored. */
function hashOf(code: string): Buffer {
  const letters = code.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return createHash('sha256').update(letters).digest()
}

export async function countRecoveryCodes(db: Db, personId: string): Promise<number> {
  const { left } = await db
    .selectFrom('recovery_code')
    .select(({ fn }) => fn.countAll<number>().as('left'))
    .where('person_id', '=', personId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return left
}
