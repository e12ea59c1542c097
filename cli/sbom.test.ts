import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { runHere } from './test/run-here.ts'

interface Component {
  'bom-ref': string
  name: string
  version: string
  purl: string
  cpe?: string
  hashes?: { alg: string; content: string }[]
}

test('the bill of materials names every package with its digest, and the programs inside', async () => {
  const { out } = await runHere({}, 'sbom')
  const { components, dependencies, metadata } = JSON.parse(out)
  const { packages } = JSON.parse(await readFile(join(import.meta.dirname, '../package-lock.json'), 'utf8'))
  const byRef = new Map<string, Component>(components.map((one: Component) => [one['bom-ref'], one]))
  assert.equal(byRef.size, components.length, 'no component twice')

  const locked = Object.entries<{ version: string }>(packages).filter(([path]) => path !== '')
  for (const [path, { version }] of locked) {
    const name = path.split('node_modules/').at(-1) as string
    const found = byRef.get(`pkg:npm/${name.replace('@', '%40')}@${version}`)
    assert.deepEqual([found?.name, found?.version], [name, version], path)
  }
  assert.match(
    byRef.get(`pkg:npm/fastify@${packages['node_modules/fastify'].version}`)?.hashes?.[0]?.content ?? '',
    /^[0-9a-f]{128}$/,
  )

  const programs = components.filter(({ cpe }: Component) => cpe)
  assert.deepEqual(
    programs.map(({ name }: Component) => name),
    ['postgresql', 'node'],
  )
  assert.match(programs[0].version, /^\d+\.\d+$/)
  assert.ok(
    components.some(({ name }: Component) => name === 'vips'),
    'the library that reads untrusted pictures',
  )

  for (const { ref, dependsOn } of dependencies)
    for (const one of dependsOn) assert.ok(byRef.has(one), `${ref} needs ${one}`)
  const [own] = dependencies
  assert.equal(own.ref, metadata.component['bom-ref'])
  assert.equal(
    own.dependsOn.length,
    Object.keys({ ...packages[''].dependencies, ...packages[''].optionalDependencies }).length,
  )
})
