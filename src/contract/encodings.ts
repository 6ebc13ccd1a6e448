/** How a file was compressed when it was sent, and is stored. */
export const contentEncodings = ['identity', 'gzip', 'zstd'] as const
export type ContentEncoding = (typeof contentEncodings)[number]
