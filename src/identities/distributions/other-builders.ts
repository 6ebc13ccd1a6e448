import type { Purl } from '../../formats/purl/purl.ts'
import type { SbomComponent } from '../../formats/sbom/document.ts'
import { reasonOfRebuild } from '../rebuilt.ts'
import type { Distribution } from './distributions.ts'

/** Who builds packages for systems of others, and what tells them: each is enough. */
type Builder = {
  who: string
  /** In the maintainer of a deb or the vendor of an rpm, in lower case. */
  suppliers?: readonly string[]
  /** In a version, as the builder marks its own. */
  version?: RegExp
  /** Of packages that no distribution has. */
  names?: RegExp
  /** The distribution that is its own. */
  own?: string
}

const codeName =
  '(?:stretch|buster|bullseye|bookworm|trixie|forky|xenial|bionic|focal|jammy|noble|oracular|plucky|questing|resolute)'

/** None of the suppliers, marks and names occurs among the packages of Debian itself. */
const builders: readonly Builder[] = [
  {
    who: 'Docker',
    suppliers: ['support@docker.com'],
    version: /~(?:debian|ubuntu|raspbian)\.\d+(?:\.\d+)?~[a-z]+$/,
    names: /^(?:docker-ce(?:-.+)?|docker-(?:buildx|compose|model|scan)-plugin|containerd\.io)$/,
  },
  { who: 'NodeSource', suppliers: ['nodesource'], version: /nodesource/i },
  { who: 'The PostgreSQL project', suppliers: ['postgresql global development'], version: /[.-]\d*pgdg/i },
  {
    who: 'The nginx project',
    suppliers: ['nginx-packaging@', 'nginx packaging'],
    version: new RegExp(String.raw`-\d+~${codeName}$|\.ngx$`),
  },
  { who: 'MySQL', suppliers: ['mysql release engineering', 'mysql-build@oss.oracle.com'] },
  { who: 'MariaDB', suppliers: ['maria-developers@', 'mariadb developers'], version: /\+maria~/ },
  { who: 'Percona', suppliers: ['@percona.com', 'percona development team'] },
  { who: 'MongoDB', suppliers: ['packaging@mongodb.com'] },
  { who: 'Elastic', suppliers: ['info@elastic.co'] },
  { who: 'Grafana Labs', suppliers: ['contact@grafana.com'] },
  { who: 'InfluxData', suppliers: ['@influxdata.com', 'support@influxdb.com'] },
  { who: 'HashiCorp', suppliers: ['@hashicorp.com'] },
  { who: 'Zabbix', suppliers: ['@zabbix.com'] },
  { who: 'Datadog', suppliers: ['package@datadoghq.com'] },
  { who: 'NVIDIA', suppliers: ['cudatools@nvidia.com'] },
  { who: 'GitHub', suppliers: ['opensource+cli@github.com'] },
  { who: 'GitLab', suppliers: ['support@gitlab.com', 'packages@gitlab.com'] },
  { who: 'Microsoft', suppliers: ['@microsoft.com', 'dotnetpackages@'], own: 'azurelinux' },
  {
    who: 'Google',
    suppliers: ['chrome linux team', 'chromium-packagers@'],
    names: /^google-chrome-(?:beta|stable|unstable)$/,
  },
  { who: 'Eclipse Adoptium', suppliers: ['adoptium package', 'temurin-dev@'] },
  { who: 'Sury’s archive', version: /deb\.sury\.org/ },
  { who: 'Remi’s repository', suppliers: ['remirepo'], version: /\.remi(?:[.~]|$)/ },
  { who: 'ELRepo', suppliers: ['elrepo'], version: /\.elrepo$/ },
  { who: 'EPEL', suppliers: ['fedora project'], own: 'fedora' },
  { who: 'A personal package archive', version: /(?<![a-z])ppa\d*(?![a-z])/ },
]

/**
 * Why a package that is installed on a distribution is not compared with its records: somebody else built it, whose packages tools list under the name of the
 * distribution. Its records do not speak of them, and their versions count otherwise than its fixes. null: nobody else is known to.
 */
export function reasonOfOtherBuilder(
  purl: Purl,
  component: SbomComponent,
  built: { version: string; distribution: Distribution },
): string | null {
  const rebuilt = reasonOfRebuild(purl, built.version)
  if (rebuilt !== null || (purl.type !== 'deb' && purl.type !== 'rpm')) return rebuilt
  const builder = builderOf(purl, component, built)
  return builder === undefined
    ? null
    : `${builder.who} built this package, and the records of ${built.distribution.title} do not speak of it.`
}

function builderOf(
  { name }: Purl,
  { supplier }: SbomComponent,
  { version, distribution }: { version: string; distribution: Distribution },
): Builder | undefined {
  const stated = supplier?.toLowerCase() ?? ''
  return builders.find(
    ({ suppliers = [], version: mark, names, own }) =>
      own !== distribution.id &&
      (suppliers.some((each) => stated.includes(each)) ||
        mark?.test(version) === true ||
        names?.test(name) === true),
  )
}
