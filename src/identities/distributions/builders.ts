/** Who builds packages for systems of others, and what tells them: each sign is enough. None of them occurs among the packages of Debian itself. */
type Signs = readonly (readonly [who: string, sign: RegExp])[]

/** `any` is all signs in one, because most packages have none. */
export type Builders = { signs: Signs; any: RegExp }

function withAny(signs: Signs): Builders {
  const sources = signs.map(([, { source, flags }]) => `(?${flags}:${source})`)
  return { signs, any: new RegExp(sources.join('|')) }
}

const codeName =
  '(?:stretch|buster|bullseye|bookworm|trixie|forky|xenial|bionic|focal|jammy|noble|oracular|plucky|questing|resolute)'

/** In the maintainer of a deb or the vendor of an rpm, in lower case. */
const suppliers = withAny([
  ['Docker', /support@docker\.com/],
  ['NodeSource', /nodesource/],
  ['The PostgreSQL project', /postgresql global development/],
  ['The nginx project', /nginx-packaging@|nginx packaging/],
  ['MySQL', /mysql release engineering|mysql-build@oss\.oracle\.com/],
  ['MariaDB', /maria-developers@|mariadb developers/],
  ['Percona', /@percona\.com|percona development team|percona,? llc/],
  ['MongoDB', /packaging@mongodb\.com|mongodb, inc/],
  ['Elastic', /info@elastic\.co|elasticsearch b\.v\./],
  ['Grafana Labs', /contact@grafana\.com|grafana labs/],
  ['InfluxData', /@influxdata\.com|support@influxdb\.com/],
  ['HashiCorp', /@hashicorp\.com|hashicorp/],
  ['Zabbix', /@zabbix\.com|zabbix sia/],
  ['Datadog', /package@datadoghq\.com|datadog/],
  ['NVIDIA', /cudatools@nvidia\.com/],
  ['GitHub', /opensource\+cli@github\.com/],
  ['GitLab', /(?:support|packages)@gitlab\.com/],
  ['Microsoft', /@microsoft\.com|dotnetpackages@/],
  ['Google', /chrome linux team|chromium-packagers@/],
  ['Eclipse Adoptium', /adoptium package|temurin-dev@/],
  ['Azul', /azul systems/],
  ['Remi’s repository', /remirepo|remi['’]s/],
  ['ELRepo', /elrepo/],
  ['EPEL', /fedora project/],
  ['RPM Fusion', /rpm fusion/],
  ['A project of Copr', /fedora copr/],
  ['A project of the Open Build Service', /obs:\/\/build\.opensuse\.org\/home/],
])

/** Of these, who builds nothing else: the others may as well be named as the authors of what a distribution builds. */
export const packagers: ReadonlySet<string> = new Set(
  'Remi’s repository,ELRepo,EPEL,RPM Fusion,A project of Copr,A project of the Open Build Service'.split(','),
)

/** In a version, as the builder marks its own. */
const versions = withAny([
  ['Docker', /~(?:debian|ubuntu|raspbian)\.\d+(?:\.\d+)?~[a-z]+$/],
  ['NodeSource', /nodesource/i],
  ['The PostgreSQL project', /[.-]\d*pgdg/i],
  ['The nginx project', new RegExp(String.raw`-\d+~${codeName}$|\.ngx$`)],
  ['MariaDB', /\+maria~/],
  // `8.0.36-28-1.bookworm`
  ['Percona', new RegExp(String.raw`-\d+\.${codeName}$`)],
  // `1:6.4.12-1+debian12`, `1:6.4.12-1+ubuntu22.04`
  ['Zabbix', /^1:\d[\d.]*-\d+\+(?:debian\d+|ubuntu\d\d\.\d\d)$/],
  ['Sury’s archive', /deb\.sury\.org/],
  ['Remi’s repository', /\.remi(?:[.~]|$)/],
  ['ELRepo', /\.elrepo$/],
  ['EPEL', /\.el\d+\.next(?:$|[.])/],
  ['Fedora', /\.fc\d{2}(?:$|[._~])/],
  // components of the Google Cloud CLI have the number of its release: `1:528.0.0-0`
  ['Google', /^1:\d{3}\.0\.\d+-\d$/],
  ['A personal package archive', /(?<![a-z])ppa\d*(?![a-z])/],
])

/** Of packages that no distribution has. */
const names = withAny([
  ['Docker', /^(?:docker-ce(?:-.+)?|docker-(?:buildx|compose|model|scan)-plugin|containerd\.io)$/],
  ['MySQL', /^mysql-(?:apt-config$|community-|shell$)/],
  ['Percona', /^(?:percona-release|pmm2?-client|percona-server-(?:mongodb|rocksdb)(?:-.+)?)$/],
  ['MongoDB', /^mongodb-(?:org|enterprise|mongosh|database-tools|atlas)(?:-.+)?$/],
  ['Elastic', /^(?:kibana|logstash|elastic-agent|(?:audit|file|heart|metric|packet)beat)$/],
  ['Grafana Labs', /^grafana-(?:agent|alloy|enterprise)$/],
  ['InfluxData', /^influxdb2(?:-.+)?$/],
  ['HashiCorp', /^(?:terraform|vault)(?:-enterprise)?$/],
  ['Datadog', /^datadog-(?:agent|dogstatsd|iot-agent|signing-keys)(?:-.+)?$/],
  [
    'NVIDIA',
    /^(?:cuda-.+-\d+-\d+|libcudnn\d.*|libnvidia-container(?:1|-tools)|nvidia-container-toolkit(?:-base)?)$/,
  ],
  ['GitLab', /^gitlab-(?:ce|ee)$/],
  [
    'Microsoft',
    /^(?:packages-microsoft-prod|powershell(?:-lts|-preview)?|ms(?:odbcsql|sql-(?:server|tools))\d*|microsoft-edge-(?:beta|dev|stable))$/,
  ],
  ['Google', /^google-(?:chrome-(?:beta|stable|unstable)|cloud-(?:cli|sdk)(?:-.+)?)$/],
  ['Eclipse Adoptium', /^temurin-\d+-(?:jdk|jre)$/],
  ['EPEL', /^epel-(?:next-)?release$/],
  ['RPM Fusion', /^rpmfusion-(?:non)?free-release$/],
])

/** The same of packages of rpm alone. */
const rpmNames = withAny([
  ['MariaDB', /^MariaDB-/],
  ['Percona', /^(?:percona-|proxysql2?$)/i],
])

/** In the address or the name of the repository that it was installed from, in lower case. */
const places = withAny([
  ['Docker', /download\.docker\.com|^docker-ce/],
  ['NodeSource', /nodesource/],
  ['The PostgreSQL project', /(?:apt|yum)\.postgresql\.org|download\.postgresql\.org\/pub\/repos|^pgdg/],
  ['The nginx project', /(?:^|[/.])nginx\.org\/packages/],
  ['MySQL', /repo\.mysql\.com|^mysql\d*-/],
  ['MariaDB', /(?:deb|dlm|mirror|rpm|yum)\.mariadb\.(?:org|com)/],
  ['Percona', /repo\.percona\.com|^percona-/],
  ['MongoDB', /repo\.mongodb\.(?:org|com)|^mongodb-org/],
  ['Elastic', /artifacts\.elastic\.co/],
  ['Grafana Labs', /(?:apt|rpm|packages)\.grafana\.com/],
  ['InfluxData', /(?:repos|dl)\.influxdata\.com/],
  ['HashiCorp', /(?:apt|rpm)\.releases\.hashicorp\.com/],
  ['Zabbix', /repo\.zabbix\.com/],
  ['Datadog', /(?:apt|yum|rpm)\.datadoghq\.com/],
  ['NVIDIA', /developer\.download\.nvidia\.com\/compute\/[\w-]+\/repos|nvidia\.github\.io/],
  ['GitHub', /cli\.github\.com\/packages/],
  ['GitLab', /packages\.gitlab\.com/],
  ['Microsoft', /packages\.microsoft\.com/],
  ['The Kubernetes project', /pkgs\.k8s\.io/],
  ['Google', /dl\.google\.com\/linux|packages\.cloud\.google\.com/],
  ['Eclipse Adoptium', /packages\.adoptium\.net/],
  ['Azul', /repos\.azul\.com/],
  ['Sury’s archive', /(?:packages|deb)\.sury\.org/],
  ['Remi’s repository', /rpms\.(?:remirepo\.net|famillecollet\.com)|^remi(?:-|$)/],
  ['ELRepo', /elrepo\.org|^elrepo/],
  ['EPEL', /\/epel\/|^epel(?:-|$)/],
  ['Fedora', /fedoraproject\.org\/pub\/fedora/],
  ['RPM Fusion', /rpmfusion\.org|^rpmfusion/],
  ['A project of Copr', /copr[.-]|^copr:/],
  ['A project of the Open Build Service', /opensuse\.org\/repositories\/home/],
  ['A personal package archive', /ppa\.launchpad(?:content)?\.net/],
])

export const builders = { suppliers, versions, names, rpmNames, places }

/** The distributions that are their own, or that have their packages and notices on them; some in one release. */
export const ownDistributions = new Map([
  ['Microsoft', 'azurelinux'],
  ['NVIDIA', 'amazon 2023'],
  ['EPEL', 'fedora'],
  ['Fedora', 'fedora'],
])
