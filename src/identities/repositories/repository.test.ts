import { describe, expect, it } from 'vitest'
import { readRepository, repositoryName } from './repository.ts'

/** Every spelling of a line is one repository, the last. */
const spellings: string[][] = [
  [
    'https://github.com/madler/zlib',
    'https://github.com/madler/zlib.git',
    'https://github.com/Madler/Zlib/',
    'http://www.github.com/madler/zlib',
    'git://github.com/madler/zlib.git',
    'git@github.com:madler/zlib.git',
    'ssh://git@github.com/madler/zlib.git',
    'git+ssh://git@github.com/madler/zlib',
    'git+https://github.com/madler/zlib@v1.2.11',
    'git+https://github.com/madler/zlib.git@v1.2.11#contrib',
    'scm:git:https://github.com/madler/zlib.git',
    'scm:git:git@github.com:madler/zlib.git',
    'scm:git|ssh://git@github.com/madler/zlib.git/',
    'git://git@github.com:madler/zlib.git',
    'git@github.com:/madler/zlib.git/',
    'https://user:secret@github.com:443/madler/zlib.git',
    'https://github.com/madler/zlib/tree/v1.2.11/contrib',
    'https://github.com/madler/zlib?tab=readme#top',
    'github.com/madler/zlib',
    'github.com/madler/zlib',
  ],
  [
    'https://gitlab.com/GnuTLS/gnutls.git',
    'git@gitlab.com:gnutls/gnutls.git',
    'https://gitlab.com/gnutls/gnutls/-/tags',
    'https://gitlab.com/gnutls/gnutls/tree/3.8.0/lib',
    'https://gitlab.com/gnutls/gnutls/commit/7ca2d6bd',
    'gitlab.com/gnutls/gnutls',
  ],
  [
    'https://gitlab.freedesktop.org/xorg/lib/libx11/blob/master/README.md',
    'gitlab.freedesktop.org/xorg/lib/libx11',
  ],
  ['https://scm.example.org/scm/repo/Team/tool', 'scm.example.org/scm/repo/Team/tool'],
  ['https://gitlab.com/group/tree/raw', 'gitlab.com/group/tree/raw'],
  [
    'https://chromium.googlesource.com/webm/libwebp',
    'https://chromium.googlesource.com/a/webm/libwebp',
    'https://chromium.googlesource.com/webm/libwebp/+/refs/tags/v1.3.0/src',
    'https://chromium.googlesource.com/webm/libwebp/+log',
    'https://chromium.googlesource.com/webm/libwebp/+archive/refs/tags/v1.3.0.tar.gz',
    'chromium.googlesource.com/webm/libwebp',
  ],
  [
    'https://git.launchpad.net/~user/ubuntu/+source/pkg/+git/pkg',
    'git.launchpad.net/~user/ubuntu/+source/pkg/+git/pkg',
  ],
  [
    'https://git.sr.ht/~sircmpwn/scdoc',
    'git@git.sr.ht:~sircmpwn/scdoc',
    'https://git.sr.ht/~sircmpwn/scdoc/tree/1.11.2/item/src',
    'https://git.sr.ht/~sircmpwn/scdoc/archive/1.11.2.tar.gz',
    'git.sr.ht/~sircmpwn/scdoc',
  ],
  [
    'https://codeberg.org/forgejo/forgejo/src/tag/v7.0.0',
    'ssh://git@codeberg.org/Forgejo/forgejo.git',
    'git+https://codeberg.org/forgejo/forgejo.git@v7.0.0#models',
    'codeberg.org/forgejo/forgejo',
  ],
  ['https://gitea.com/Gitea/tea', 'https://gitea.com/gitea/tea/releases/tag/v0.9', 'gitea.com/gitea/tea'],
  [
    'https://git.example.org/team/tool.git',
    'https://git.example.org/team/tool/src/branch/main/cmd',
    'https://git.example.org/team/tool/src/commit/7ca2d6bd',
    'git.example.org/team/tool',
  ],
  [
    'https://bitbucket.example.org/scm/PROJ/tool.git',
    'https://bitbucket.example.org/projects/PROJ/repos/tool/browse?at=refs%2Ftags%2Fv1',
    'ssh://git@bitbucket.example.org:7999/proj/tool.git',
    'bitbucket.example.org/proj/tool',
  ],
  [
    'https://bitbucket.example.org/scm/~joe/tool.git',
    'https://bitbucket.example.org/users/Joe/repos/tool/browse',
    'bitbucket.example.org/~joe/tool',
  ],
  ['https://gitlab.com/group/sub/project.git', 'gitlab.com/group/sub/project'],
  ['https://bitbucket.org/Multicoreware/x265_git.git', 'bitbucket.org/multicoreware/x265_git'],
  [
    'git://git.savannah.gnu.org/grub.git',
    'https://git.savannah.gnu.org/git/grub.git',
    'https://git.savannah.gnu.org/cgit/grub.git',
    'git://git.sv.gnu.org/grub',
    'git.savannah.gnu.org/grub',
  ],
  [
    'git://sourceware.org/git/glibc.git',
    'https://sourceware.org/git/glibc.git',
    'https://sourceware.org/git/?p=glibc.git;a=summary',
    'sourceware.org/glibc',
  ],
  [
    'git://git.kernel.org/pub/scm/linux/kernel/git/stable/linux.git',
    'https://git.kernel.org/pub/scm/linux/kernel/git/torvalds/linux.git',
    'https://github.com/torvalds/linux',
    'https://github.com/gregkh/linux.git',
    'github.com/torvalds/linux',
  ],
  ['https://git.kernel.org/pub/scm/libs/libcap/Libcap.git', 'git.kernel.org/pub/scm/libs/libcap/Libcap'],
  ['https://git.openssl.org/openssl.git', 'git://git.openssl.org/openssl', 'github.com/openssl/openssl'],
  [
    'https://gitlab.gnome.org/GNOME/libxml2.git',
    'https://github.com/GNOME/libxml2',
    'github.com/gnome/libxml2',
  ],
]

describe('a repository', () => {
  it.each(spellings.map((line) => [line.at(-1) ?? '', line] as const))('%s', (name, line) => {
    expect(line.map(repositoryName)).toEqual(line.map(() => name))
  })

  it.each([
    '',
    'openssl',
    'https://github.com',
    'https://github.com/madler',
    'https://gitlab.com/gnutls',
    'https://git.sr.ht/~sircmpwn',
    'file:///srv/git/zlib.git',
    '../zlib.git',
    'https://github.com/ma dler/zlib',
    'https://github.com/../zlib',
    `https://github.com/madler/${'z'.repeat(2_000)}`,
  ])('%s is not one', (address) => {
    expect(repositoryName(address)).toBe('')
  })

  it('tells capitals apart where its host does', () => {
    expect(repositoryName('https://git.example.org/Team/Tool')).not.toBe(
      repositoryName('https://git.example.org/team/tool'),
    )
  })

  it.each([
    ['git+https://github.com/madler/zlib@v1.2.11', 'v1.2.11'],
    ['git+https://github.com/madler/zlib.git@7ca2d6bd#contrib', '7ca2d6bd'],
    ['git@github.com:madler/zlib.git@v1.2.11', 'v1.2.11'],
    ['git@github.com:madler/zlib.git', null],
    ['https://user@github.com/madler/zlib.git', null],
  ])('%s points to %s', (address, ref) => {
    expect(readRepository(address)?.ref).toBe(ref)
  })
})
