import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { help } from '../../cli/help.ts'
import { readConfig, variables } from '../config.ts'
import { makeDatabase } from './database.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const read = (name: string) => readFile(join(root, name), 'utf8')
const files = [
  'Dockerfile',
  'compose.yaml',
  'deploy/waybill.service',
  'deploy/waybill-backup.service',
  'docs/deploy.md',
]

/** Named like our variables, but for something else. */
const notOurs = new Set(['WAYBILL_SITE', 'WAYBILL_UPSTREAMS'])

/** The `key=value` lines of a section, in order. */
async function readUnit(name: string): Promise<[key: string, value: string][]> {
  const lines = (await read(name)).split('\n').filter((line) => /^\w+=/.test(line))
  return lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])
}
const valuesOf = (unit: [string, string][], key: string) =>
  unit.filter(([name]) => name === key).map(([, value]) => value)
const environmentOf = (unit: [string, string][]) =>
  Object.fromEntries(valuesOf(unit, 'Environment').map((pair) => pair.split('=') as [string, string]))

/** The commands in a document, without comments. */
async function commandsIn(document: string): Promise<string[]> {
  const blocks = [...(await read(document)).matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block as string)
  return blocks.flatMap((block) => block.split('\n')).flatMap((line) => line.replace(/\s#.*$/, '').trim() || [])
}

test('every variable in the deployment files exists', async () => {
  for (const file of [...files, 'Caddyfile', 'deploy/Caddyfile', 'docs/scaling.md', 'docs/backup.md']) {
    const named = (await read(file)).match(/\bWAYBILL_[A-Z_]+/g) ?? []
    const unknown = named.filter((name) => !Object.hasOwn(variables, name) && !notOurs.has(name))
    assert.deepEqual(unknown, [], file)
  }
})

test('the server accepts the values set by the unit and the image', async () => {
  const unit = environmentOf(await readUnit('deploy/waybill.service'))
  const [, set = ''] = /^ENV (.+)$/m.exec(await read('Dockerfile')) ?? []
  const image = Object.fromEntries(set.split(' ').map((pair) => pair.split('=')))
  for (const environment of [unit, image])
    assert.deepEqual(
      Object.keys(environment).filter((name) => name !== 'NODE_ENV' && !Object.hasOwn(variables, name)),
      [],
    )
  const config = readConfig({ ...unit, WAYBILL_PUBLIC_URL: 'https://waybill.example.com' })
  assert.deepEqual([config.host, config.trustProxy, config.dataFolder], ['127.0.0.1', true, '/var/lib/waybill'])
  assert.equal(config.webhooks.loopback, false, 'what others can reach sends nothing to this machine')
  assert.deepEqual([readConfig(image).host, readConfig(image).dataFolder], ['0.0.0.0', '/data'])
})

test('unit, backup, proxy and image agree about folders, accounts and ports', async () => {
  const [unit, backup] = [await readUnit('deploy/waybill.service'), await readUnit('deploy/waybill-backup.service')]
  for (const key of ['User', 'Group', 'WorkingDirectory', 'EnvironmentFile'])
    assert.deepEqual(valuesOf(unit, key), valuesOf(backup, key), key)
  assert.deepEqual(valuesOf(unit, 'User'), ['waybill'])
  const { PORT, WAYBILL_DATA } = environmentOf(unit)
  assert.equal(environmentOf(backup)['WAYBILL_DATA'], WAYBILL_DATA)
  assert.deepEqual(valuesOf(unit, 'StateDirectory'), [WAYBILL_DATA?.replace('/var/lib/', '')])
  assert.match(await read('deploy/Caddyfile'), new RegExp(`reverse_proxy 127\\.0\\.0\\.1:${PORT} `))
  const image = await read('Dockerfile')
  const [, port] = /PORT=(\d+)/.exec(image) ?? []
  assert.match(image, new RegExp(`EXPOSE ${port}\\n`))
  assert.match(image, new RegExp(`http://127\\.0\\.0\\.1:${port}/health`))
  assert.match(image, /\nUSER node\n/)
  assert.match(image, /RUN npm run build\n[\s\S]+COPY --from=console \/waybill\/web\/dist web\/dist\n/)
})

test('the programs started by the units exist', async () => {
  for (const name of ['waybill', 'waybill-backup']) {
    const [command = ''] = valuesOf(await readUnit(`deploy/${name}.service`), 'ExecStart')
    const file = command.split(' ').find((word) => /^\w+\/[\w.-]+\.(js|sh)$/.test(word))
    assert.ok(file, command)
    await assert.doesNotReject(read(file))
  }
})

test('commands in the documents name scripts and commands that exist', async () => {
  const { scripts } = JSON.parse(await read('package.json'))
  const verbs = new Set([...help.matchAll(/^ {2}([a-z]+)\b/gm)].map(([, verb]) => verb))
  assert.ok(verbs.has('serve') && verbs.has('backup'))
  const services = [...(await read('compose.yaml')).matchAll(/^ {2}([\w-]+): [&*]/gm)].map(([, name]) => name)
  for (const document of ['docs/deploy.md', 'docs/backup.md', 'docs/scaling.md', 'README.md'])
    for (const command of await commandsIn(document)) {
      for (const [, script = ''] of command.matchAll(/npm run (?:-s )?([\w:]+)/g))
        assert.ok(script in scripts, `${document}: ${command}`)
      for (const [, verb] of command.matchAll(/(?:^waybill|npm run (?:-s )?waybill --|waybill\.[jt]s) (\w+)/g))
        assert.ok(verbs.has(verb), `${document}: ${command}`)
      for (const [service] of command.matchAll(/\b(?:api|worker)-\d\b/g))
        assert.ok(services.includes(service), `${document}: ${command}`)
      for (const [file] of command.matchAll(/(?<=^| )deploy\/[\w.-]+/g)) await assert.doesNotReject(read(file))
    }
})

test('a new server needs ten commands to an https address', async () => {
  const text = await read('docs/deploy.md')
  const chapter = text.slice(text.indexOf('## Ten commands'), text.indexOf('The last one shows'))
  const [, block = ''] = [...chapter.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, lines]) => lines)
  assert.equal(block.trim().split('\n').length, 10)
})

test('systemd can read the units', async (t) => {
  const units = ['waybill.service', 'waybill-backup.service', 'waybill-backup.timer']
  const paths = units.map((name) => join(root, 'deploy', name))
  const { code, stderr } = await run('systemd-analyze', ['verify', ...paths]).catch((error) => error)
  if (code === 'ENOENT') return t.skip('systemd is not installed')
  // It also reads units they depend on, and reports problems in those.
  assert.deepEqual(
    String(stderr)
      .split('\n')
      .filter((line) => line.includes('waybill')),
    [],
  )
})

test('the nightly backup is complete, and old ones are deleted', async (t) => {
  const { url, drop } = await makeDatabase()
  t.after(drop)
  const folder = await mkdtemp(join(tmpdir(), 'waybill-nightly-'))
  t.after(() => rm(folder, { recursive: true }))
  const env = { ...process.env, DATABASE_URL: url }
  const old = ['2020-01-01-023000.tar', 'mine.tar'].map((name) => join(folder, name))
  const longAgo = new Date('2020-01-01T02:30:00Z')
  for (const file of old) {
    await writeFile(file, '')
    await utimes(file, longAgo, longAgo)
  }

  const { stdout } = await run('sh', [join(root, 'deploy/backup.sh'), folder], { env })
  assert.match(stdout, /^Wrote .*\n.* is complete .*\n$/)
  const kept = await readdir(folder)
  assert.equal(kept.length, 2, 'the new one, and what is not a nightly backup')
  assert.ok(kept.includes('mine.tar') && kept.some((name) => /^\d{4}-\d\d-\d\d-\d{6}\.tar$/.test(name)))

  const broken = { ...env, DATABASE_URL: 'postgres://127.0.0.1:1/none' }
  await assert.rejects(run('sh', [join(root, 'deploy/backup.sh'), folder], { env: broken }), /cannot be reached/)
  assert.deepEqual(await readdir(folder), kept, 'a night without a backup drops none')
})
