import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const isTest = (name: string) => name.endsWith('.test.ts')

/** Files of `src` by folder, without the tests beside them. */
function sourceFolders(): Map<string, string[]> {
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name.endsWith('.ts') && !isTest(entry.name),
  )
  return new Map(
    [...Map.groupBy(files, ({ parentPath }) => parentPath.slice(root.length + 1))].map(
      ([folder, entries]) => [folder, entries.map(({ name }) => name)],
    ),
  )
}

const roomOf = (path: string) => path.split('/')[1] ?? ''

/** `room imports`, one for each pair of rooms. */
function importsOfRooms(rooms: readonly string[]): Set<string> {
  const found = new Set<string>()
  for (const [folder, names] of sourceFolders()) {
    for (const name of names) {
      const text = readFileSync(join(root, folder, name), 'utf8')
      for (const [, path = ''] of text.matchAll(/(?:from |import\(|new URL\()\s*'(\.[^']+)'/g)) {
        const [from, to] = [roomOf(folder), roomOf(posix.join(folder, path))]
        if (from !== to && rooms.includes(from) && rooms.includes(to)) found.add(`${from} ${to}`)
      }
    }
  }
  return found
}

/** The table in `docs/architecture.md`: a row for each room, a cross where it imports the room of the column. */
function readDrawing(): { rooms: string[]; imports: Set<string> } {
  const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  const [, drawing = ''] = /## Imports\n[\s\S]*?```text\n([\s\S]*?)```/.exec(text) ?? []
  const [head = '', ...rows] = drawing.split('\n').filter((line) => line.trim() !== '')
  const columns = [...head.matchAll(/\S+/g)].map(({ 0: name, index }) => ({ name, index }))
  const imports = new Set<string>()
  for (const row of rows) {
    const [room = ''] = row.split(' ')
    for (const { name, index } of columns) if (row[index] === '×') imports.add(`${room} ${name}`)
  }
  return { rooms: columns.map(({ name }) => name), imports }
}

describe('the rooms of src', () => {
  const { rooms, imports } = readDrawing()

  it('import each other as docs/architecture.md draws it', () => {
    expect(rooms.length).toBeGreaterThan(8)
    expect([...importsOfRooms(rooms)].sort()).toEqual([...imports].sort())
  })

  it('follow the order of the data: none imports a later one', () => {
    const later = [...imports].filter((pair) => {
      const [from = '', to = ''] = pair.split(' ')
      return rooms.indexOf(to) > rooms.indexOf(from)
    })
    expect(later).toEqual([])
  })
})

/** Rooms with a large subject; no other has more than `maxLines`. */
const largeRooms = ['contract', 'formats', 'http', 'incidents', 'platform', 'vulndata']
const maxLines = { usual: 5_000, large: 9_000 }

it('no room has more lines than a reader can find their way in', () => {
  const lines = new Map<string, number>()
  for (const [folder, names] of sourceFolders()) {
    for (const name of names) {
      const count = readFileSync(join(root, folder, name), 'utf8').split('\n').length - 1
      lines.set(roomOf(folder), (lines.get(roomOf(folder)) ?? 0) + count)
    }
  }
  const tooLarge = [...lines].filter(
    ([room, count]) => count > (largeRooms.includes(room) ? maxLines.large : maxLines.usual),
  )
  expect(lines.size).toBeGreaterThan(20)
  expect(tooLarge).toEqual([])
})

it('every folder has one subject: none of src and web has more than 25 files, tests included', () => {
  const files = ['src', 'web'].flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }))
  const byFolder = Map.groupBy(files, (file) => posix.dirname(file))
  const flat = [...byFolder].filter(([, names]) => names.length > 25).map(([folder]) => folder)
  expect(byFolder.size).toBeGreaterThan(50)
  expect(flat).toEqual([])
})
