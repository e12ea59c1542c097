import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Asker, createTurns, type Shares } from './turns.ts'

interface Job {
  asker: Asker
  number: number
}

const usual: Shares = { mostWaiting: 10, mostOfOrganisation: 6, mostOfAsker: 3, mostAtWork: 1 }

/** Adds jobs such as '1a': the first of asker a of organisation 1. */
function start(shares: Partial<Shares> = {}) {
  const turns = createTurns<Job>({ ...usual, ...shares })
  let number = 0
  const add = (who: string) => {
    number += 1
    const job = { asker: { organisationId: Number(who[0]), name: who.slice(1) }, number }
    return turns.add(job) ? job : undefined
  }
  const nameOf = (job: Job | undefined) => job && `${job.asker.organisationId}${job.asker.name}`
  /** Whose turns come, each done before the next one begins. */
  const serveAll = () => {
    const served: (string | undefined)[] = []
    for (let job = turns.next(); job; job = turns.next()) {
      served.push(nameOf(job))
      turns.done(job)
    }
    return served.join(' ')
  }
  return { ...turns, add, serveAll, nameOf }
}

test('organisations take turns, and within one those who ask', () => {
  const { add, serveAll } = start()
  for (const who of ['1link', '1link', '1link', '1office', '1office', '2office']) add(who)
  assert.equal(serveAll(), '1link 2office 1office 1link 1office 1link')
})

test('those who ask get what they asked for in its order', () => {
  const { add, next, done } = start()
  const jobs = [add('1a'), add('1a'), add('1a')]
  for (const job of jobs) {
    const served = next()
    assert.equal(served, job)
    done(served as Job)
  }
})

test('an organisation that has its share at work waits, and the next one does not', () => {
  const { add, next, done, nameOf } = start()
  for (const who of ['1a', '1b', '2a']) add(who)
  const first = next()
  assert.equal(nameOf(first), '1a')
  assert.equal(nameOf(next()), '2a')
  assert.equal(next(), undefined)
  done(first as Job)
  assert.equal(nameOf(next()), '1b')
})

test('the queue is bounded: for each who asks, for an organisation and in all', () => {
  const { add, next, serveAll } = start()
  const counts = ['1a', '1b', '1c', '2a', '2b', '3a'].map((who) => [1, 2, 3, 4].filter(() => add(who)).length)
  assert.deepEqual(counts, [3, 3, 0, 3, 1, 0])
  next()
  assert.ok(add('3a'), 'what is at work waits no more')
  serveAll()
})

test('what is taken out leaves room and is never served', () => {
  const { add, remove, serveAll, clear } = start({ mostOfAsker: 1 })
  const job = add('1a') as Job
  assert.equal(add('1a'), undefined)
  assert.equal(remove(job), true)
  assert.equal(remove(job), false)
  assert.ok(add('1a'))
  assert.equal(serveAll(), '1a')
  const left = [add('1a'), add('2a')]
  assert.deepEqual(clear(), left)
  assert.equal(serveAll(), '')
})
