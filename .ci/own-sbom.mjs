// The SBOM of the service on standard output: CycloneDX, every package of the lock file that is installed without development packages.
// `npm sbom --omit dev` leaves out packages that development packages need as well, so all are asked for and the lock file decides.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const npm = spawnSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
})
if (npm.status !== 0) {
  console.error(npm.stderr)
  process.exit(1)
}
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
const shipped = new Set(
  Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`),
)
const sbom = JSON.parse(npm.stdout)
const components = sbom.components.filter(({ name, version }) => shipped.has(`${name}@${version}`))
const refs = new Set([sbom.metadata.component['bom-ref'], ...components.map((each) => each['bom-ref'])])
const dependencies = sbom.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }))
process.stdout.write(`${JSON.stringify({ ...sbom, components, dependencies }, null, 2)}\n`)
