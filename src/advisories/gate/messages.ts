/** A test of CSAF 2.0 that a document fails; `pointer`: where (RFC 6901). */
export type FailedTest = { test: string; pointer: string; message: string }

/**
 * `failed`: what keeps it from being published; `advice`: what optional and informative tests find, where they were asked for; null: they are
 * being loaded.
 */
export type Judgement = { failed: FailedTest[]; advice: FailedTest[] | null }

export type ToGate = { id: number; document: unknown; isAdvised: boolean }
export type FromGate = { id: number } & (Judgement | { error: string })

/** `compileCache`: where its program lies compiled, so that it starts sooner; null: nowhere. */
export type ThreadData = { compileCache: string | null }
