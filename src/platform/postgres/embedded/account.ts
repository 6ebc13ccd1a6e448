import type { Stats } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StoreError } from '../store-error.ts'

/** The operating-system account the server runs under. PostgreSQL refuses uid 0. */
export type ServerAccount = { name: string; uid: number; gid: number }

type AccountQuestion = {
  /** The uid of this process. */
  ownUid: number
  /** The account the operator asked for. */
  configuredUser: string | null
  /** The owner of data that exist already. */
  dataOwner: { uid: number; gid: number } | null
  /** The text of the passwd file. */
  passwd: string
}

/**
 * The account a server started by root runs under: the configured one, else the owner of the data, else `postgres`,
 * else `nobody`. Null when this process is not root: the server then runs as this process does.
 * No account is ever created. Throws `account_unusable`.
 */
export function chooseAccount(question: AccountQuestion): ServerAccount | null {
  if (question.ownUid !== 0) return null
  const accounts = readPasswd(question.passwd)
  if (question.configuredUser !== null)
    return configuredAccount(question.configuredUser, accounts, question.dataOwner)
  if (question.dataOwner !== null) return owningAccount(question.dataOwner, accounts)
  const found = accounts.get('postgres') ?? accounts.get('nobody')
  if (found !== undefined && found.uid !== 0) return found
  throw new StoreError(
    'account_unusable',
    'PostgreSQL does not run as root, and there is no account "postgres" or "nobody" to run it under. ' +
      'Create an account and name it in POSTGRES_USER, or start the service as an ordinary user.',
  )
}

function configuredAccount(
  name: string,
  accounts: ReadonlyMap<string, ServerAccount>,
  dataOwner: AccountQuestion['dataOwner'],
): ServerAccount {
  const account = accounts.get(name)
  if (account === undefined) {
    throw new StoreError('account_unusable', `The account "${name}" of POSTGRES_USER does not exist.`)
  }
  if (account.uid === 0) {
    throw new StoreError(
      'account_unusable',
      `The account "${name}" of POSTGRES_USER is root; PostgreSQL refuses it.`,
    )
  }
  if (dataOwner !== null && dataOwner.uid !== account.uid) {
    throw new StoreError(
      'account_unusable',
      `The data belong to uid ${dataOwner.uid}, not to "${name}" of POSTGRES_USER. ` +
        `While nothing uses them, give them to it: chown -R ${account.uid}:${account.gid} <data directory>/pgdata.`,
    )
  }
  return account
}

/** The owner wins over the defaults: an account that appears later must not lock the server out of its data. */
function owningAccount(
  owner: { uid: number; gid: number },
  accounts: ReadonlyMap<string, ServerAccount>,
): ServerAccount {
  if (owner.uid === 0) {
    throw new StoreError(
      'account_unusable',
      'The data belong to root, and PostgreSQL does not run as root. Give <data directory>/pgdata to the account ' +
        'that the server is to run under (chown -R).',
    )
  }
  for (const account of accounts.values()) if (account.uid === owner.uid) return account
  return { name: String(owner.uid), uid: owner.uid, gid: owner.gid }
}

function readPasswd(text: string): Map<string, ServerAccount> {
  const accounts = new Map<string, ServerAccount>()
  for (const line of text.split('\n')) {
    const [name, , uid, gid] = line.split(':')
    if (name === undefined || uid === undefined || gid === undefined || line.startsWith('#')) continue
    if (uid === '' || gid === '' || accounts.has(name)) continue
    accounts.set(name, { name, uid: Number(uid), gid: Number(gid) })
  }
  return accounts
}

/**
 * The topmost directory on the way to `path` (itself included) that the account may not enter, or null.
 * Null without an account: this process got there itself.
 */
export async function blockingDirectory(path: string, account: ServerAccount | null): Promise<string | null> {
  if (account === null) return null
  for (const directory of ancestors(await realpath(path))) {
    const found = await stat(directory)
    if (found.isDirectory() && !mayEnter(found, account)) return directory
  }
  return null
}

function ancestors(path: string): string[] {
  const chain = [path]
  for (let at = path; dirname(at) !== at; at = dirname(at)) chain.push(dirname(at))
  return chain.reverse()
}

function mayEnter(directory: Pick<Stats, 'mode' | 'uid' | 'gid'>, account: ServerAccount): boolean {
  if (directory.uid === account.uid) return (directory.mode & 0o100) !== 0
  if (directory.gid === account.gid) return (directory.mode & 0o010) !== 0
  return (directory.mode & 0o001) !== 0
}

/** Nothing of this process's environment reaches the server. */
export const serverEnvironment = {
  LC_ALL: 'C',
  PATH: '/usr/bin:/bin',
  // Of glibc: a session keeps what planning a statement took, for the next one. Given back each time, the kernel clears the same pages again and
  // again, which is a fifth of the time of planning our largest statements.
  MALLOC_TRIM_THRESHOLD_: '4194304',
  MALLOC_TOP_PAD_: '262144',
  MALLOC_MMAP_THRESHOLD_: '8388608',
}

/** Options of a child process that runs under the account. */
export function runAs(account: ServerAccount | null): { uid?: number; gid?: number } {
  return account === null ? {} : { uid: account.uid, gid: account.gid }
}
