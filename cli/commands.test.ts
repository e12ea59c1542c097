import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { settingsOf } from '../core/settings.ts'
import { openDatabase } from '../server/db/db.ts'
import { migrate } from '../server/db/migrate.ts'
import { sql } from '../server/db/sql.ts'
import { getOrganisation } from '../server/organisations/queries.ts'
import { prepareFolder } from '../server/test/cluster.ts'
import { makeDatabase } from '../server/test/database.ts'
import { until } from '../server/test/until.ts'
import { commands } from './commands.ts'
import { runHere as run } from './test/run-here.ts'

const program = join(import.meta.dirname, 'waybill.ts')

/** An installation with its own, empty database. */
async function install(t: TestContext) {
  const { url, drop } = await makeDatabase()
  t.after(drop)
  return (...args: string[]) => run({ DATABASE_URL: url }, ...args)
}

/** A database that cannot be reached: help and mistyped commands must not need one. */
const nowhere = { DATABASE_URL: 'postgres://127.0.0.1:1/x' }

const keyIn = (text: string) => /^ {2}(wb_\S+)$/m.exec(text)?.[1]

/** Every command and subcommand as typed, with its arguments. */
async function everyCommand() {
  const loaded = await Promise.all(
    Object.entries(commands).map(async ([name, load]) => ({ name, command: await load() })),
  )
  return loaded.flatMap(({ name, command }) =>
    'verbs' in command
      ? Object.entries(command.verbs).map(([verb, { takes = [] }]) => ({ typed: [name, verb], takes }))
      : [{ typed: [name], takes: command.takes ?? [] }],
  )
}

test('every command has help, and refuses unknown options before it starts', async () => {
  const waybill = (...args: string[]) => run(nowhere, ...args)
  const walked = await everyCommand()
  assert.ok(walked.length > 10)
  for (const { typed, takes } of walked) {
    const title = typed.join(' ')
    const usage = new RegExp(`^Usage: ${['waybill', ...typed, ...takes].join(' ')}( \\[options\\])?\n`)
    for (const asked of [
      [...typed, '--help'],
      [...typed, '-h'],
      [...typed, 'x', '--help'],
      ['help', ...typed],
    ]) {
      const { code, out, err } = await waybill(...asked)
      assert.deepEqual([code, err], [0, ''], asked.join(' '))
      assert.match(out, usage)
    }
    const unknown = await waybill(...typed, ...takes, '--colour')
    assert.deepEqual([unknown.code, unknown.out], [2, ''], title)
    assert.match(unknown.err, new RegExp(`^Unknown option '--colour'; see "waybill ${title} --help"\\.\n$`))
    const tooMuch = await waybill(...typed, ...takes, 'superfluous')
    assert.deepEqual([tooMuch.code, tooMuch.out], [2, ''], title)
    assert.match(tooMuch.err, /^"superfluous" is unexpected; .*\.\n$/)
  }
})

test('help lists all commands', async () => {
  const { out } = await run(nowhere, '--help')
  for (const name of Object.keys(commands)) assert.match(out, new RegExp(`^  ${name}\\b`, 'm'))
  assert.match(out, /WAYBILL_DATA/)
  const helps: [args: string[], says: RegExp][] = [
    [['keys'], /list[\s\S]+create NAME[\s\S]+revoke KEY_ID[\s\S]+rotate KEY_ID/],
    [['keys', 'help'], /create NAME/],
    [['keys', 'create', '--help'], /--scopes LIST[\s\S]+tasks:read/],
    [['people', 'invite', '--help'], /--email ADDRESS[\s\S]+--role ROLE {2}.*admin or dispatcher/],
    [['backup', '--help'], /--verify {2}/],
  ]
  for (const [args, says] of helps) assert.match((await run(nowhere, ...args)).out, says)
})

test('a mistyped command is explained in one sentence', async (t) => {
  const waybill = await install(t)
  const cases: [args: string[], code: number, says: RegExp][] = [
    [['dance'], 2, /^Unknown command "dance"/],
    [['keys', 'dance'], 2, /^Unknown command "waybill keys dance"; .*--help.*\.$/],
    [['keys', 'list', '--colour'], 2, /^Unknown option '--colour'; .*\.$/],
    [['keys', 'create'], 2, /^NAME is missing; .*\.$/],
    [['keys', 'create', 'two', 'words'], 2, /^"words" is unexpected; .*\.$/],
    [['people', 'invite'], 2, /^Missing option: --email ADDRESS\.$/],
    [['people', 'invite', '--email', 'x'], 1, /^email must be an email address .*\.$/],
    [['people', 'invite', '--email', 'a@b.c', '--role', 'king'], 1, /^role must be one of admin, dispatcher\.$/],
    [['people', 'reset'], 2, /^EMAIL_OR_ID is missing; .*\.$/],
    [['keys', 'list'], 2, /^No organisation yet; .*\.$/],
    [['backup'], 2, /^FILE is missing; .*\.$/],
    [['restore', 'x', '--verify'], 2, /^Unknown option '--verify'; .*\.$/],
    [['organisations', 'create', ' '], 2, /^NAME must be 1 to 120 characters\.$/],
    [
      ['organisations', 'create', 'A', '--country', 'X', '--currency', 'Y'],
      1,
      /^country must .*\.\ncurrency must .*\.$/,
    ],
  ]
  for (const [args, code, says] of cases) {
    const said = await waybill(...args)
    assert.deepEqual([said.code, said.out], [code, ''], args.join(' '))
    assert.match(said.err.trimEnd(), says)
    assert.doesNotMatch(said.err, /\n\s+at /, 'no stack')
  }
  const lost = await run(nowhere, 'keys', 'list')
  assert.match(lost.err, /^The database cannot be reached: .*ECONNREFUSED.*\n$/)
  const none = await run({ WAYBILL_DATA: '/nonexistent' }, 'keys', 'list')
  assert.match(none.err, /^No database in \/nonexistent yet: .*\n$/)
})

test('an organisation gets its first key, and keys are made, rotated and revoked', async (t) => {
  const waybill = await install(t)
  const made = await waybill(
    'organisations',
    'create',
    'Curier Rapid',
    '--country',
    'de',
    '--timezone',
    'Europe/Berlin',
  )
  assert.match(made.out, /Curier Rapid +DE +Europe\/Berlin +RON/)
  const firstKey = keyIn(made.out) as string
  assert.ok(firstKey)

  const reader = await waybill(
    'keys',
    'create',
    'The shop',
    '--scopes',
    'tasks:read, tasks:write',
    '--expires-at',
    '2100-01-01 00:00',
  )
  const readerId = /^ {2}(\d+) +The shop +tasks:read tasks:write .* never +works until 2099-12-31 23:00Z$/m.exec(
    reader.out,
  )?.[1]
  assert.ok(readerId, reader.out)
  const refused = await waybill('keys', 'create', 'x', '--scopes', 'everything')
  assert.deepEqual([refused.code, refused.out], [1, ''])
  assert.match(refused.err, /^scopes\.0 must be one of \*, tasks:read/)

  const rotated = await waybill('keys', 'rotate', readerId, '--overlap-hours', '2')
  assert.notEqual(keyIn(rotated.out), keyIn(reader.out))
  assert.match((await waybill('keys', 'rotate', readerId)).err, /^This key was already rotated; rotate key \d+, /)
  assert.match(
    (await waybill('keys', 'rotate', '1', '--overlap-hours', 'many')).err,
    /^overlapHours must be a whole number\.$/m,
  )

  assert.match((await waybill('keys', 'revoke', readerId)).out, /^Key \d+ revoked\.$/m)
  assert.match((await waybill('keys', 'revoke', readerId)).err, /^Key not found\.$/m)
  assert.match((await waybill('keys', 'revoke', 'shop')).err, /^"shop" is not a key id; /)

  const { out } = await waybill('keys', 'list')
  assert.match(out, /^ {2}ID +NAME +SCOPES/)
  assert.match(out, /First key +everything .* works$/m)
  assert.match(out, /The shop .* revoked 20/)
  assert.ok(!out.includes('wb_'))
})

test('a shop is made as the partner of its courier, and delegates to it', async (t) => {
  const { url, drop } = await makeDatabase()
  t.after(drop)
  const waybill = (...args: string[]) => run({ DATABASE_URL: url }, ...args)
  const make = ['organisations', 'create', 'Florărie', '--shop']
  await waybill(
    'organisations',
    'create',
    'Curier',
    '--country',
    'DE',
    '--timezone',
    'Europe/Berlin',
    '--currency',
    'EUR',
  )
  const mistakes: [args: string[], says: RegExp][] = [
    [make, /^A shop needs its courier: add --courier ID\. See: waybill organisations list\.$/],
    [[...make, '--courier', '7'], /^There is no organisation 7\. See: /],
    [
      [...make, '--courier', '1', '--currency', 'RON'],
      /^A shop has the currency of its courier: leave out --currency\.$/,
    ],
    [['organisations', 'create', 'X', '--courier', '1'], /^--courier is for a shop: add --shop\.$/],
  ]
  for (const [args, says] of mistakes) {
    const { code, out, err } = await waybill(...args)
    assert.deepEqual([code, out], [2, ''], args.join(' '))
    assert.match(err.trimEnd(), says)
  }
  const made = await waybill(...make, '--courier', '1')
  assert.match(made.out, /2 +Florărie +DE +Europe\/Berlin +EUR/)
  assert.match(made.out, /Its new tasks are delegated to the courier/)
  assert.ok(keyIn(made.out))
  assert.match(made.out, /\/(welcome|sign-in|set-password|link)\S*|https?:\S+/)

  const database = openDatabase({ url, role: await migrate(url, () => {}), connections: 2, onIdleError: () => {} })
  t.after(database.close)
  const { everyone } = database
  const rows = await everyone.many<{ organisation_id: number; partner_id: number; company: { name: string } }>(sql`
    select * from partners where agreed_at is not null and they_agreed_at is not null order by organisation_id`)
  assert.deepEqual(
    rows.map(({ organisation_id, partner_id, company }) => [organisation_id, partner_id, company.name]),
    [
      [1, 2, 'Florărie'],
      [2, 1, 'Curier'],
    ],
  )
  const shop = settingsOf(await getOrganisation(everyone, 2))
  assert.deepEqual([shop.delegateNewTasksTo, shop.shopConsole], [1, true])
})

test('with several organisations one must be named, and a name cannot send control codes to the terminal', async (t) => {
  const waybill = await install(t)
  await waybill('organisations', 'create', 'One')
  await waybill('organisations', 'create', 'Two \u001b[2J')

  const list = await waybill('organisations', 'list')
  assert.match(list.out, /^ {2}1 +One[\s\S]+^ {2}2 +Two \?\[2J/m)
  assert.match((await waybill('keys', 'list')).err, /^There are 2 organisations; choose one with --organisation ID/)
  assert.match((await waybill('keys', 'list', '--organisation', '9')).err, /^No organisation "9"; /)
  const made = await waybill('keys', 'create', 'For two', '--organisation', '2')
  assert.match((await waybill('keys', 'list', '--organisation', '2')).out, /For two/)
  assert.doesNotMatch((await waybill('keys', 'list', '--organisation', '1')).out, /For two/)
  const id = /^ {2}(\d+) +For two/m.exec(made.out)?.[1] as string
  assert.match((await waybill('keys', 'revoke', id, '--organisation', '1')).err, /^Key not found\./)
})

test('commands can use the embedded database whether a server is running on it or not', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-cli-test-'))
  const environment = { WAYBILL_DATA: folder, PORT: '0' }
  await prepareFolder(folder)
  const server = spawn(process.execPath, [program, 'serve'], {
    env: { ...process.env, DATABASE_URL: '', ...environment, WAYBILL_PUBLIC_URL: 'https://waybill.example.com' },
  })
  t.after(async () => {
    if (server.exitCode === null) await stop()
    await rm(folder, { recursive: true, force: true })
  })
  const stop = async () => {
    server.kill('SIGTERM')
    await once(server, 'exit')
  }
  let said = ''
  server.stdout.on('data', (chunk) => (said += chunk))
  await until(
    () => `the first key: ${said}`,
    () => said.includes('shown only once'),
  )
  const made = await run(environment, 'keys', 'create', 'Made meanwhile')
  assert.ok(keyIn(made.out))
  const invited = await run(environment, 'people', 'invite', '--email', 'ana@example.org')
  assert.match(invited.out, /^ {2}https:\/\/waybill\.example\.com\/welcome#/m, 'links lead where the server is')
  await stop()
  assert.equal(server.exitCode, 0)

  const { out, err } = await run(environment, 'keys', 'list')
  assert.match(out, /Made meanwhile/, err)
})

test('people are invited and get new links on the command line', async (t) => {
  const waybill = await install(t)
  const linkIn = (text: string) => /^ {2}(http:\/\/127\.0\.0\.1:4000\/welcome#[\w-]{43})$/m.exec(text)?.[1]
  const made = await waybill('organisations', 'create', 'Curier')
  assert.ok(linkIn(made.out), made.out)

  const invited = await waybill('people', 'invite', '--email', 'Ana@example.org', '--role', 'admin', '--name', 'Ana')
  assert.deepEqual([invited.code, invited.err], [0, ''])
  assert.match(invited.out, /Ana +Ana@example\.org +admin +has not used the link yet/)
  const again = await waybill('people', 'reset', 'ana@EXAMPLE.org')
  assert.ok(linkIn(again.out) && linkIn(again.out) !== linkIn(invited.out))

  const { out } = await waybill('people', 'list')
  assert.match(out, /Admin +- +admin[\s\S]+Ana +Ana@example/)
  const adminId = /^ +(\d+) +Admin/m.exec(out)?.[1] as string
  assert.ok(linkIn((await waybill('people', 'reset', adminId)).out), 'a person without an address is named by number')
  const taken = await waybill('people', 'invite', '--email', 'ANA@example.org')
  assert.deepEqual([taken.code, taken.err], [1, 'This email address is already in use.\n'])
  const nobody = await waybill('people', 'reset', 'nobody@example.org')
  assert.match(nobody.err, /^No such person in Curier; /)
})
