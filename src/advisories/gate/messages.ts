/** A test of CSAF 2.0 that a document fails; `pointer`: where (RFC 6901). */
export type FailedTest = { test: string; pointer: string; message: string }

export type ToGate = { id: number; document: unknown }
export type FromGate = { id: number } & ({ failed: FailedTest[] } | { error: string })

/** `compileCache`: where its program lies compiled, so that it starts sooner; null: nowhere. */
export type ThreadData = { compileCache: string | null }
