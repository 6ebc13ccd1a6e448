/** A file that inflates to at most this goes through the small lane. */
export const smallFileBytes = 4 * 1024 * 1024

/**
 * Files the child holds at a time in each lane: small ones overlap their waits for the store; the trees of two large ones must
 * never stand in memory together.
 */
export const handedFiles = { small: 8, large: 1 } as const
