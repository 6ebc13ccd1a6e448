/** How far long work is; `total` is null where it is not known. */
export type Progress = { label: string; done: number; total: number | null }

/** Called at least once a second while work goes on. */
export type OnProgress = (progress: Progress) => void
