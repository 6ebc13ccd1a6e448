import { getPriority, setPriority } from 'node:os'
import { niceness } from './lanes.ts'

/**
 * Puts a process or a thread behind those that answer. Whoever was started further behind stays there: only root may come forward again
 * (setpriority(2), EACCES).
 */
export function lowerPriority(pid = 0): void {
  if (getPriority(pid) < niceness) setPriority(pid, niceness)
}
