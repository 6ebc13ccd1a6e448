import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** Words that confuse readers, each with a replacement. */
const banned: [word: RegExp, instead: string][] = [
  [/\banew\b|[a-z]Anew\b/i, 'again'],
  [/\bnobody (?:has|had)\b/i, 'say what is missing: "is not loaded", "has not been judged"'],
  [/\bbrought\b/i, 'say what happened: "delivered", "stored", "migrated"'],
  [/\bworks? off\b/i, '"runs", "does"'],
  [/\bof which\b/i, '"whose", "of them", or a sentence of its own'],
  [/\bstands?\b(?! (?:in )?for\b|-in\b)/i, '"is", "is in force", "is listed"'],
  [/\bwake-?up\b/i, '"wakes", "context switch"'],
  [/\ba good part\b/i, '"much", or the figure'],
  [/\b(?:count|read|decide|match)Anew\b/, 'again'],
  [/\bI have kept\b/i, '"saved"'],
  [/\bcannot steer\b/i, '"control"'],
  [/\bnamed to the public\b/i, '"published"'],
  [/\bpart of public addresses\b/i, '"appears in public URLs"'],
  [/['">]Own time\b/, '"document time"'],
  [/\bdata taken\b/i, '"updated"'],
  [/\bage of the sources\b/i, '"data freshness"'],
  [/\b(?:cannot|can not) be judged\b/i, '"not covered"'],
  [/\breached indirectly\b/i, '"via another record"'],
  [/\d (?:uses|times) or more\b/i, '"more than 300"'],
  [/\bnothing in this workspace fits\b/i, '"no results"'],
  [/\bif it stays\b/i, '"if this keeps happening"'],
  [/\breference of its own\b/i, '"duplicate bom-ref"'],
]

const folders = ['src', 'web', 'client/src', 'client/bin', 'test', 'e2e', 'bench', 'assure']

/** Words of external files and libraries, and this list. */
const exempt = ['web/dist/**', 'test/architecture/words.test.ts']

const files = [
  ...folders.flatMap((folder) =>
    globSync(`${folder}/**/*.{ts,tsx,js,css,html,md}`, { cwd: root, exclude: exempt }),
  ),
  ...globSync(['docs/**/*.md', 'client/*.md', '*.md'], { cwd: root }),
]

it('code and documents are written in plain English', () => {
  const found = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        banned
          .filter(([word]) => word.test(line))
          .map(([word, instead]) => `${file}:${index + 1}: ${word.exec(line)?.[0] ?? ''} (${instead})`),
      ),
  )
  expect(files.length).toBeGreaterThan(400)
  expect(found).toEqual([])
})

/** Readers who do not read the code know the database by that name only. */
it('documents do not call the database a store', () => {
  const pages = globSync(['docs/**/*.md', 'README.md', 'CHANGELOG.md'], { cwd: root })
  expect(
    pages.filter((page) =>
      /\b(?:the|a|an|empty|embedded) store\b/i.test(readFileSync(join(root, page), 'utf8')),
    ),
  ).toEqual([])
})
