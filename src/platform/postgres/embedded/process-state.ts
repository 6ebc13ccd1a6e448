import { execFile } from 'node:child_process'
import { readFile, readlink } from 'node:fs/promises'
import { basename } from 'node:path'
import { promisify } from 'node:util'
import { errorCode } from '../store-error.ts'

/** What the process table says about a process id taken from a lock file. */
export type ProcessState = 'gone' | 'zombie' | 'server_of_directory' | 'unrelated'

/**
 * Whether the process is the PostgreSQL server of this data directory (a real path). Process ids repeat, above all in
 * containers, so that a living process alone proves nothing.
 */
export async function inspectProcess(pid: number, dataDirectory: string): Promise<ProcessState> {
  return process.platform === 'linux'
    ? inspectThroughProc(pid, dataDirectory)
    : inspectThroughPs(pid, dataDirectory)
}

async function inspectThroughProc(pid: number, dataDirectory: string): Promise<ProcessState> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The command name is in parentheses and may itself hold parentheses and spaces.
    const state = stat.charAt(stat.lastIndexOf(')') + 2)
    if (state === 'Z' || state === 'X') return 'zombie'
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
    if (basename(command[0] ?? '') !== 'postgres') return 'unrelated'
    const workingDirectory = await workingDirectoryOf(pid)
    // Root in a container may not inspect other users' processes, but can read their command line.
    const isServer =
      workingDirectory === null ? namesDirectory(command, dataDirectory) : workingDirectory === dataDirectory
    return isServer ? 'server_of_directory' : 'unrelated'
  } catch (error) {
    if (isGone(error)) return 'gone'
    throw error
  }
}

/** A server's working directory is its data directory. Null when this process may not know. */
async function workingDirectoryOf(pid: number): Promise<string | null> {
  try {
    return await readlink(`/proc/${pid}/cwd`)
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EACCES' || code === 'EPERM') return null
    throw error
  }
}

function namesDirectory(command: readonly string[], dataDirectory: string): boolean {
  return command[command.indexOf('-D') + 1] === dataDirectory
}

function isGone(error: unknown): boolean {
  const code = errorCode(error)
  return code === 'ENOENT' || code === 'ESRCH'
}

async function inspectThroughPs(pid: number, dataDirectory: string): Promise<ProcessState> {
  const line = await processLine(pid)
  if (line === null) return 'gone'
  if (line.startsWith('Z')) return 'zombie'
  return line.includes('postgres') && line.includes(` -D ${dataDirectory} `)
    ? 'server_of_directory'
    : 'unrelated'
}

async function processLine(pid: number): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'stat=,command=', '-p', String(pid)])
    return stdout.trim() === '' ? null : stdout.trim()
  } catch (error) {
    // `ps` ends with 1 when it knows no such process.
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 1) return null
    throw error
  }
}
