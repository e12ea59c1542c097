import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { makeDatabase } from '../server/test/database.ts'
import { request } from '../server/test/server.ts'

const checkout = join(import.meta.dirname, '..')

/**
 * A checkout as `npm ci --omit=dev` leaves it: the sources, and only the packages that the server itself needs. What does
 * not look for the console is linked, so that it is compiled already.
 */
async function checkOut(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-console-test-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  for (const part of ['contract', 'core', 'phone', 'sdk', 'server'])
    await symlink(join(checkout, part), join(folder, part))
  const parts = ['bin', 'cli', 'web', 'package.json', 'package-lock.json']
  const isSource = (path: string) => path !== join(checkout, 'web/dist')
  for (const part of parts) await cp(join(checkout, part), join(folder, part), { recursive: true, filter: isSource })
  const { packages } = JSON.parse(await readFile(join(checkout, 'package-lock.json'), 'utf8'))
  for (const [path, { dev }] of Object.entries<{ dev?: boolean }>(packages)) {
    if (dev || !/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path)) continue
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await symlink(join(checkout, path), join(folder, path))
  }
  return folder
}

/** Starts the server of a checkout, and returns its output until it was ready, and its address. */
async function start(t: TestContext, folder: string) {
  const { url, drop } = await makeDatabase()
  const { WAYBILL_API_KEY: _, ...clean } = process.env
  const env = { ...clean, PORT: '0', DATABASE_URL: url, WAYBILL_DATA: join(folder, 'data') }
  const child = spawn(process.execPath, [join(folder, 'cli/waybill.ts'), 'serve'], { env })
  t.after(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
    await drop()
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  while (!said.includes('Create a task')) {
    assert.equal(child.exitCode, null, said)
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  }
  return { said, address: /ready at (http\S+)/.exec(said)?.[1] as string }
}

test('a server without a console says so in one sentence, and how to get one', async (t) => {
  const { said, address } = await start(t, await checkOut(t))

  assert.match(said, /^ {2}The console is not built .*run "npm ci" with development packages\. The API works.*$/m)
  assert.doesNotMatch(said, /Building|"msg":"[^"]*console/i)
  const page = await request(address, 'GET', '/', { headers: { accept: 'text/html' } })
  assert.deepEqual([page.status, page.text.includes('npm run build')], [503, true])
})

test('a failed build of the console is one sentence in the log, and the full output for the person who builds', async (t) => {
  const folder = await checkOut(t)
  const vite = join(folder, 'node_modules/vite')
  await mkdir(join(vite, 'bin'), { recursive: true })
  await writeFile(join(vite, 'package.json'), '{}')
  await writeFile(join(vite, 'bin/vite.js'), 'console.error("what is wrong\\n".repeat(50)); process.exit(1)')

  const { ensurePages } = await import(join(folder, 'cli/console.ts'))
  const sentence = { message: 'The console could not be built; "npm run build" shows why' }
  await assert.rejects(
    ensurePages(join(folder, 'data'), () => {}),
    sentence,
  )
  const built = await new Promise<string>((resolve) =>
    execFile(process.execPath, [join(folder, 'cli/waybill.ts'), 'build'], (_error, _out, err) => resolve(err)),
  )
  assert.match(built, /what is wrong\n[\s\S]+^The console could not be built\.\n$/m)
})
