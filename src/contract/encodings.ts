/** How a file was compressed on its way here, and is kept. */
export const contentEncodings = ['identity', 'gzip', 'zstd'] as const
export type ContentEncoding = (typeof contentEncodings)[number]
