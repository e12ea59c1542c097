import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

test('the line in the docs works in another project', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-sdk-test-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const { stdout } = await run('npm', ['pack', './sdk', '--json', '--pack-destination', folder], { cwd: root })
  const packed = stdout.match(/waybill-sdk-[\d.]+\.tgz/)?.[0] as string
  await writeFile(join(folder, 'package.json'), '{ "name": "somebody-else", "type": "module" }')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${packed}`], { cwd: folder })

  const [, lines] =
    /```ts\n(import \{ verifyWebhook[\s\S]+?)```/.exec(await readFile(join(root, 'docs/events.md'), 'utf8')) ?? []
  assert.ok(lines)
  const rawBody = '{"awb":"A-1"}'
  const headers = {
    'webhook-id': 'evt_1_1',
    'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_1_1', new Date(), rawBody),
  }
  const given = `const [request, rawBody, secret] = ${JSON.stringify([{ headers }, rawBody, secret])}`
  await writeFile(join(folder, 'receiver.js'), [given, lines, 'console.log(event.awb)'].join('\n'))
  assert.equal((await run(process.execPath, ['receiver.js'], { cwd: folder })).stdout, 'A-1\n')

  const typed = `const [request, rawBody, secret] = [{ headers: new Headers() }, '', '']\n${lines}\nexport const unknownUntilChecked: string = event`
  await writeFile(join(folder, 'typed.ts'), typed)
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const compiled = run(
    process.execPath,
    [tsc, '--noEmit', '--strict', '--module', 'nodenext', '--lib', 'esnext,dom', 'typed.ts'],
    { cwd: folder },
  )
  await assert.rejects(compiled, ({ stdout }) =>
    /^typed\.ts\(\d+,\d+\): error TS2322: Type 'unknown'[^\n]*\n$/.test(stdout),
  )
})

test('the package of the SDK has the version of the server', async () => {
  const versionOf = async (file: string) => JSON.parse(await readFile(join(root, file), 'utf8')).version
  assert.equal(await versionOf('sdk/package.json'), await versionOf('package.json'))
})
