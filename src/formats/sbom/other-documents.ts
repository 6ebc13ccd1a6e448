import { type JsonObject, kindOf } from '../json/object.ts'

type OtherDocument = { isIt: (root: JsonObject) => boolean; name: string }

/** What tools of this field write and people send by mistake, and what to send instead. */
const otherDocuments: readonly OtherDocument[] = [
  {
    isIt: (root) => has(root, { artifacts: 'an array', descriptor: 'an object' }),
    name: 'the JSON of Syft; have it write an SBOM (-o cyclonedx-json)',
  },
  {
    isIt: (root) => has(root, { SchemaVersion: 'a number', ArtifactName: 'a string' }),
    name: 'a report of Trivy; have it write an SBOM (--format cyclonedx)',
  },
  {
    isIt: (root) => has(root, { detector: 'an object', manifests: 'an object' }),
    name: 'a dependency snapshot for GitHub; send an SBOM',
  },
  {
    isIt: (root) => has(root, { lockfileVersion: 'a number', packages: 'an object' }),
    name: 'a lock file of npm; send the SBOM that "npm sbom" makes of it',
  },
  { isIt: (root) => isForDependencyTrack(root, 'bom'), name: wrapped('BOM') },
  { isIt: (root) => isForDependencyTrack(root, 'vex'), name: wrapped('VEX document') },
]

/** The name of a document that is neither SBOM nor VEX; undefined where it is none of those known here. */
export function otherDocument(root: JsonObject): string | undefined {
  return otherDocuments.find(({ isIt }) => isIt(root))?.name
}

function has(root: JsonObject, kinds: Record<string, string>): boolean {
  return Object.entries(kinds).every(([key, kind]) => kindOf(root.get(key)) === kind)
}

/** The body of its requests `PUT /api/v1/bom` and `PUT /api/v1/vex`, which name the project beside the file. */
function isForDependencyTrack(root: JsonObject, key: string): boolean {
  const names = [root.lenientString('project'), root.lenientString('projectName')]
  return root.lenientString(key) !== null && names.some((name) => name !== null)
}

function wrapped(what: string): string {
  return `a ${what} wrapped as for the API of Dependency-Track; send the ${what} itself`
}
