import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anOffice } from '../test/messages.ts'

test('a customer is told once that the driver is on the way', async (t) => {
  const office = await anOffice(t, { messageOnItsWay: true, smsSenderId: 'Curier' })
  const task = await office.create({ awb: 'A-1' })
  await office.act('start', task)
  const [message] = await office.ended(1)
  assert.deepEqual(
    [message.cause, message.state, message.to, message.awb, message.segments, message.attempts],
    ['onItsWay', 'sent', '+40730000001', 'A-1', 1, 1],
  )
  const [{ text, to, sender }, ...more] = await office.received()
  assert.deepEqual([to, sender, more], ['+40730000001', 'Curier', []])
  assert.equal(text, message.text)
  assert.match(text, new RegExp(`livrarea A-1 este pe drum.*/t/${task.uuid}$`))

  const { sentETA, timelines } = await office.look(task)
  assert.equal(sentETA, true)
  assert.deepEqual(timelines.at(-1).data, {
    previous: { sentETA: false },
    message: { id: message.id, cause: 'onItsWay', channel: 'sms', state: 'sent', reason: null },
  })
})
