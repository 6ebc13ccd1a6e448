/**
 * Raised whenever a reader of VEX documents reads statements or what they are about otherwise (not for hints alone): stored documents are then read again.
 */
export const vexGeneration = 2
