import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Refusal } from '../../contract/errors.ts'
import { createLog } from '../log.ts'
import { readPdf } from '../test/pdf.ts'
import { until } from '../test/until.ts'
import { type Kept, openKept } from './kept.ts'
import type { Paper } from './paper.ts'
import { createPapers } from './papers.ts'

const log = createLog('silent', process.stderr)
const isBusy = (error: unknown) =>
  error instanceof Refusal && error.code === 'OVERLOADED' && (error.retryAfterSeconds ?? 0) > 0
const staying = new AbortController().signal

const paperOf = (title: string): Paper => ({
  title,
  language: 'en',
  sender: { name: 'Sender', logo: null },
  foot: 'Page {page} of {pages}',
  sheets: [{ title, subtitle: '', mark: { text: 'Done', isGood: true }, facts: [], pictures: [], remarks: [] }],
})

interface Asked {
  isHeld?: boolean
  gone?: AbortSignal
  failure?: Error
}

async function start(t: TestContext, options: Partial<Parameters<typeof createPapers>[0]> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-papers-'))
  const kept = openKept({ log, folder })
  /** Names of papers that wait for a thread or have one, in the order in which they came. */
  const queued: string[] = []
  const keep: Kept['keep'] = (organisationId, name, write) =>
    kept.keep(organisationId, name, (path) => {
      const written = write(path)
      queued.push(name)
      return written
    })
  const watched = { ...kept, keep }
  const papers = createPapers({ log, kept: watched, mostWaitMs: 60_000, mostPatienceMs: 60_000, ...options })
  t.after(async () => {
    await papers.close()
    kept.close()
    await rm(folder, { recursive: true, force: true })
  })
  /** Names of papers in the order in which their making began. */
  const begun: string[] = []
  const gates = new Map<string, () => void>()
  /** Asks for the paper `name`, which is held up when it begins if it is to be. */
  const ask = (who: string, name: string, { isHeld = false, gone = staying, failure }: Asked = {}) => {
    const asker = { organisationId: Number(who[0]), name: who.slice(1) }
    const collect = async () => {
      begun.push(name)
      if (failure) throw failure
      if (isHeld) await new Promise<void>((resolve) => gates.set(name, resolve))
      return paperOf(name)
    }
    return papers.open({ name, asker, collect }, gone)
  }
  const read = async (asked: ReturnType<typeof ask>) => {
    const { file } = await asked
    return readPdf(await file.readFile().finally(() => file.close()))[0]?.text
  }
  const isQueued = (name: string) => until(`${name} to be queued`, () => queued.includes(name))
  const hasBegun = (name: string) => until(`${name} to be made`, () => begun.includes(name))
  const letGo = (name: string) => until(`${name} to be held`, () => gates.has(name)).then(() => gates.get(name)?.())
  return { ask, read, begun, isQueued, hasBegun, letGo, folder }
}

test('a paper is made once, for those who wait for it and for those who come later', async (t) => {
  const { ask, read, begun, letGo } = await start(t)
  const readers = [1, 2, 3, 4].map(() => read(ask('1link', 'a', { isHeld: true })))
  await letGo('a')
  for (const text of await Promise.all(readers)) assert.match(text ?? '', /a[\s\S]*Page 1 of 1/)
  assert.match((await read(ask('1office', 'a'))) ?? '', /Done/)
  assert.deepEqual(begun, ['a'])
  await read(ask('1link', 'b'))
  await read(ask('2link', 'a'))
  assert.deepEqual(begun, ['a', 'b', 'a'], 'another state, or another organisation, is another paper')
})

test('an organisation with many papers leaves a thread to others', async (t) => {
  const { ask, read, begun, isQueued, letGo } = await start(t)
  const crowd: Promise<unknown>[] = []
  for (const name of ['a', 'b', 'c', 'd']) {
    crowd.push(read(ask('1link', name, { isHeld: true })))
    await isQueued(name)
  }
  assert.match((await read(ask('2office', 'other'))) ?? '', /Done/)
  const own = read(ask('1office', 'own'))
  await isQueued('own')
  await letGo('a')
  await letGo('b')
  await own
  assert.deepEqual(
    begun.slice(0, 4),
    ['a', 'other', 'b', 'own'],
    'within one organisation a crowd takes turns with others',
  )
  for (const name of ['c', 'd']) await letGo(name)
  await Promise.all(crowd)
})

test('the queue has a bound, for a link, for an organisation and in all, and says so', async (t) => {
  const { ask, read, hasBegun, letGo } = await start(t, { mostWaiting: 12 })
  const running = [read(ask('1a', 'one', { isHeld: true })), read(ask('2a', 'two', { isHeld: true }))]
  await Promise.all([hasBegun('one'), hasBegun('two')])
  const waiting: Promise<unknown>[] = []
  const askSix = async (who: string, refusals: number) => {
    const refused: unknown[] = []
    for (const number of [1, 2, 3, 4, 5, 6])
      waiting.push(read(ask(who, `${who} ${number}`)).catch((error) => refused.push(error)))
    await until(`${refusals} of six to be refused`, () => refused.length === refusals)
    assert.ok(refused.every(isBusy))
  }
  await askSix('1link', 2)
  await askSix('1office', 4)
  await askSix('2office', 2)
  await askSix('3office', 4)
  for (const name of ['one', 'two']) await letGo(name)
  await Promise.all([...running, ...waiting])
})

test('so many can wait for one paper, and not more', async (t) => {
  const { ask, read, hasBegun, letGo } = await start(t, { mostReaders: 3 })
  const readers = [1, 2, 3].map(() => read(ask('1link', 'a', { isHeld: true })))
  await hasBegun('a')
  await assert.rejects(ask('1link', 'a'), isBusy)
  await letGo('a')
  await Promise.all(readers)
})

test('readers who leave free their place, and what nobody waits for is not made', async (t) => {
  const { ask, read, begun, hasBegun, letGo } = await start(t)
  const running = read(ask('1a', 'running', { isHeld: true }))
  await hasBegun('running')
  const leaving = new AbortController()
  const refused: unknown[] = []
  const crowd = ['a', 'b', 'c', 'd', 'e'].map((name) =>
    read(ask('1link', name, { gone: leaving.signal })).catch((error) => refused.push(error)),
  )
  await until('the fifth of a link to be refused', () => refused.length === 1)
  leaving.abort()
  await Promise.all(crowd)
  assert.equal(refused.filter(isBusy).length, 5)

  const others = ['f', 'g', 'h', 'i'].map((name) => read(ask('1link', name)))
  await letGo('running')
  await Promise.all([running, ...others])
  assert.deepEqual(begun.toSorted(), ['f', 'g', 'h', 'i', 'running'])
})

test('what has begun is finished for the next reader', async (t) => {
  const { ask, read, begun, hasBegun, letGo } = await start(t)
  const leaving = new AbortController()
  const left = ask('1link', 'a', { isHeld: true, gone: leaving.signal })
  await hasBegun('a')
  leaving.abort()
  const next = read(ask('1link', 'a'))
  await letGo('a')
  assert.match((await next) ?? '', /Done/)
  assert.match((await read(left)) ?? '', /Done/, 'one who only closed their side still gets it')
  assert.deepEqual(begun, ['a'])
})

test('a reader who has waited long enough is told to come back, and finds it made', async (t) => {
  const { ask, read, begun, letGo } = await start(t, { mostPatienceMs: 50 })
  const refused = () => ask('1link', 'a', { isHeld: true }).then(() => false, isBusy)
  await until('it to be begun and a reader refused', async () => (await refused()) && begun.length > 0)
  await letGo('a')
  const text = await until('the paper to be there', () => read(ask('1link', 'a')).catch(() => undefined))
  assert.match(text, /Done/)
  assert.deepEqual(begun, ['a'])
})

test('threads without work are ended, and new ones made for the next paper', async (t) => {
  const { ask, read } = await start(t, { idleMs: 0 })
  for (const name of ['a', 'b', 'c', 'd']) assert.match((await read(ask('1link', name))) ?? '', /Done/)
})

test('a paper that cannot be made leaves nothing behind and can be asked for again', async (t) => {
  const { ask, read, folder } = await start(t)
  await assert.rejects(ask('1link', 'a', { failure: new Error('no pictures') }), /no pictures/)
  assert.deepEqual(await readdir(join(folder, '1')), [])
  assert.match((await read(ask('1link', 'a'))) ?? '', /Done/)
  assert.deepEqual(await readdir(join(folder, '1')), ['a'])
})
