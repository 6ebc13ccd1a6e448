import { getPriority, setPriority } from 'node:os'
import { niceness } from './lanes.ts'

/**
 * Lowers the priority of a process or thread below those that answer. One started with a lower priority keeps it: only root may raise
 * it again (setpriority(2), EACCES).
 */
export function lowerPriority(pid = 0): void {
  if (getPriority(pid) < niceness) setPriority(pid, niceness)
}
