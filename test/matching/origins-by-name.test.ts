import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { explainFinding } from '../../src/vulnerabilities/evidence/explain-finding.ts'
import { testNow } from '../support/clock.ts'
import { neighboursIn, testNeighbours } from './neighbour-scene.ts'

/** Documents that state no package's origin, as Docker Scout writes them: records of Alpine and Photon OS name origins. */
const table = neighboursIn(String.raw`
the library | Alpine:v3.20 | openssl | <3.3.1-r1 | pkg:apk/alpine/libcrypto3@3.3.1-r0?os_name=alpine&os_version=3.20 | possible
fixed | Alpine:v3.20 | musl | <1.2.5-r1 | pkg:apk/alpine/musl-utils@1.2.5-r1?os_name=alpine&os_version=3.20 | -
a part | Alpine:v3.20 | ncurses | <6.4-r3 | pkg:apk/alpine/ncurses-libs@6.4-r2?distro=alpine-3.20.1 | possible
of another release | Alpine:v3.19 | icu | <74-r3 | pkg:apk/alpine/icu-data@74-r2?distro=alpine-3.20.1 | -
by its own name | Alpine:v3.20 | xz-libs | <5-r3 | pkg:apk/alpine/xz-libs@5-r2?distro=alpine-3.20.1 | exact
Photon OS | Photon OS:5.0 | curl | <8-2.ph5 | pkg:rpm/photon/curl-libs@8-1.ph5?arch=x86_64&distro=photon-5.0 | possible
not of Wolfi | Wolfi | zlib | <2-r0 | pkg:apk/wolfi/zlib-dev@1-r0?arch=x86_64 | -
`)

const scene = testNeighbours(table)

test('the evidence says that the source was told by the name', async () => {
  const { db, workspaceId } = scene()
  const { rows } = await sql<{ id: string }>`
    select f.id from finding f join component_identity i on i.id = f.identity_id where i.package_key like 'Photon OS%'`.execute(
    db,
  )
  const { records } = await explainFinding(db, { workspaceId, findingId: rows[0]?.id ?? '', now: testNow })
  expect(records.map(({ gradeReason }) => gradeReason)).toEqual([
    'The SBOM does not say what the package was built from: by its name it is likely curl, which the record is about.',
  ])
})
