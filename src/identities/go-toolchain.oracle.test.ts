import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { identify } from './identify.ts'
import { noSurroundings } from './surroundings.ts'
import { thing } from './identity-table.ts'
import { orderingOf } from '../versions/ordering.ts'

const isAbsent = spawnSync('go', ['version']).status !== 0
const note = isAbsent ? ' (skipped: needs Go)' : ''

/** As SBOMs write the version of `stdlib`, and as `go/version` reads it. */
const toolchains: [stated: string, read: string][] = [
  ['1.22.7', 'go1.22.7'],
  ['go1.22.7', 'go1.22.7'],
  ['1.22.7-bigcorp', 'go1.22.7-bigcorp'],
  ['go1.22.7-bigcorp', 'go1.22.7-bigcorp'],
  ['go1.22.7-bigcorp.3', 'go1.22.7-bigcorp.3'],
  ['go1.22.8', 'go1.22.8'],
  // without a patch it is a version of the language since 1.21, which no toolchain has; ours counts as the release
  ['go1.22.0', 'go1.22.0'],
  ['go1.22', 'go1.22.0'],
  ['go1.22rc1', 'go1.22rc1'],
  ['go1.22rc2', 'go1.22rc2'],
  ['go1.22rc2-bigcorp', 'go1.22rc2-bigcorp'],
  ['go1.20', 'go1.20'],
  ['go1.20.1', 'go1.20.1'],
  ['go1.20beta1', 'go1.20beta1'],
  ['go1.26.5 X:boringcrypto', 'go1.26.5'],
  ['1.26.5-X:boringcrypto', 'go1.26.5'],
  ['go1.26.5', 'go1.26.5'],
  ['go1.26.6', 'go1.26.6'],
]

const program = `package main

import (
	"encoding/json"
	"go/version"
	"os"
)

func main() {
	var versions []string
	if err := json.NewDecoder(os.Stdin).Decode(&versions); err != nil {
		panic(err)
	}
	rows := [][]int{}
	for _, a := range versions {
		row := []int{}
		for _, b := range versions {
			row = append(row, version.Compare(a, b))
		}
		rows = append(rows, row)
	}
	json.NewEncoder(os.Stdout).Encode(rows)
}
`

function askGo(versions: readonly string[]): number[][] {
  const folder = mkdtempSync(join(tmpdir(), 'go-versions-'))
  try {
    writeFileSync(join(folder, 'main.go'), program)
    const result = spawnSync('go', ['run', 'main.go'], {
      cwd: folder,
      input: JSON.stringify(versions),
      encoding: 'utf8',
      env: Object.assign({}, process.env, { GOFLAGS: '', GOTOOLCHAIN: 'local' }),
    })
    expect(result.stderr).toBe('')
    return JSON.parse(result.stdout) as number[][]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe.skipIf(isAbsent)(`toolchains of Go${note}`, () => {
  it('are ordered as go/version orders them, whatever their suffix', () => {
    const { compare } = orderingOf('go')
    const ours = toolchains.map(
      ([stated]) =>
        identify(thing({ purl: `pkg:golang/stdlib@${encodeURIComponent(stated)}` }), noSurroundings).version,
    )
    const theirs = askGo(toolchains.map(([, read]) => read))
    const wrong = ours.flatMap((a, row) =>
      ours.filter((b, column) => compare(a, b) !== theirs[row]?.[column]).map((b) => `${a} and ${b}`),
    )
    expect(wrong).toEqual([])
  })
})
