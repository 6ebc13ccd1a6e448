/** The last days of support: of the ecosystem the release, and the day (UTC). */
type ReleaseEnd = { ecosystem: string; release: string; lastDay: string }

/**
 * Until when a distribution publishes what is wrong with a release, for everybody and without a contract. From then on vulnerabilities become known that no
 * record will ever name it in. Kept as data: a release that is not here has not ended. Debian counts with its LTS (https://wiki.debian.org/LTS).
 */
const table = `
Debian: 7 2018-05-31, 8 2020-06-30, 9 2022-06-30, 10 2024-06-30, 11 2026-08-31, 12 2028-06-30, 13 2030-06-30
Ubuntu: 12.04 2017-04-28, 14.04 2019-04-25, 16.04 2021-04-30, 18.04 2023-05-31, 20.04 2025-05-31, 22.04 2027-06-30, 24.04 2029-06-30
Ubuntu: 14.10 2015-07-23, 15.04 2016-02-04, 15.10 2016-07-28, 16.10 2017-07-20, 17.04 2018-01-13, 17.10 2018-07-19, 18.10 2019-07-18
Ubuntu: 19.04 2020-01-23, 19.10 2020-07-17, 20.10 2021-07-22, 21.04 2022-01-20, 21.10 2022-07-14, 22.10 2023-07-20, 23.04 2024-01-25
Ubuntu: 23.10 2024-07-11, 24.10 2025-07-10, 25.04 2026-01-15
Alpine: 3.8 2020-05-01, 3.9 2020-11-01, 3.10 2021-05-01, 3.11 2021-11-01, 3.12 2022-05-01, 3.13 2022-11-01, 3.14 2023-05-01, 3.15 2023-11-01
Alpine: 3.16 2024-05-23, 3.17 2024-11-22, 3.18 2025-05-09, 3.19 2025-11-01, 3.20 2026-04-01, 3.21 2026-11-01, 3.22 2027-05-01, 3.23 2027-11-01, 3.24 2028-06-01
Red Hat: 5 2017-03-31, 6 2020-11-30, 7 2024-06-30, 8 2029-05-31
Rocky Linux: 8 2029-05-31
AlmaLinux: 8 2029-05-31
Oracle Linux: 5 2017-06-30, 6 2021-03-31, 7 2024-12-31
Amazon Linux: 2 2026-06-30
Amazon Linux 1: 1 2023-12-31
Fedora: 36 2023-05-16, 37 2023-12-05, 38 2024-05-21, 39 2024-11-26, 40 2025-05-13, 41 2025-12-15
openSUSE: leap 15.0 2019-12-03, leap 15.1 2021-02-02, leap 15.2 2022-01-04, leap 15.3 2022-12-31, leap 15.4 2023-12-07, leap 15.5 2024-12-31
openSUSE: leap 15.6 2026-04-30
Photon OS: 1.0 2022-02-28, 2.0 2022-12-31, 3.0 2024-06-30, 4.0 2025-12-31
Azure Linux: 2 2025-07-31
`

export const releaseEnds: readonly ReleaseEnd[] = table
  .split('\n')
  .filter((line) => line !== '')
  .flatMap((line) => {
    const [ecosystem = '', releases = ''] = line.split(': ')
    return releases.split(', ').map((text) => {
      const space = text.lastIndexOf(' ')
      return { ecosystem, release: text.slice(0, space), lastDay: text.slice(space + 1) }
    })
  })

/** Those whose last day is over. */
export function endedReleases(now: Date): { ecosystem: string; release: string }[] {
  const today = now.toISOString().slice(0, 10)
  return releaseEnds
    .filter(({ lastDay }) => lastDay < today)
    .map(({ ecosystem, release }) => ({ ecosystem, release }))
}
