import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { mostTries } from '../../core/attempt.ts'
import { sql } from '../../server/db/sql.ts'
import { aTask, makeDriver, makeTeam, signIn } from '../../server/test/factories.ts'
import { startReceiver } from '../../server/test/receiver.ts'
import { request } from '../../server/test/server.ts'
import { startConsole } from './console.ts'

const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

/** An organisation with some of everything, with the long names of real life. */
export async function aFullOffice(t: TestContext) {
  const server = await startConsole(t)
  const settings = {
    makeSignaturesMandatory: true,
    allowPartialPayments: true,
    imageOption: 'both',
    messageDelivered: true,
  }
  await server.put('/company', { settings })
  await server.post('/hubs', { name: 'Depozitul Central Militari', lat: 44.43, lng: 26.02 })
  await makeTeam(server, { name: 'Livrări rapide București Nord-Est' })
  await server.post('/forms', {
    name: 'La livrare',
    isDefault: true,
    fields: [{ field_key: 'who', label: 'Cine a primit coletul?', type: 'text', required: true }],
  })
  await server.post('/reasons', { code: 'nobody', label: 'Destinatarul nu răspunde la interfon', photoRequired: true })
  const receiver = await startReceiver(t)
  await server.post('/webHooks', { url: `${receiver.url}/receptor/waybill/evenimente/comenzi`, trigger: 1 })
  const drivers = []
  for (const name of ['Mihaela-Alexandra Constantinescu', 'Cristian Gheorghiu', 'Georgiana Nistor']) {
    const driver = await makeDriver(server, { name, driverTransportationId: 5 })
    drivers.push(driver)
    await server.put(`/drivers/${driver.id}/duty`, { inShift: true })
    const tasks = Array.from({ length: 9 }, (_, at) => ({
      address: {
        address: `Bulevardul General Gheorghe Magheru ${at}, București`,
        addressSecondLine: 'Bl. 14, sc. B, et. 7, ap. 123',
        // Each at a door of its own, or they would be one stop.
        lat: 44.43 + Math.floor(at / 3) / 1000,
        lng: 26.1 + (at % 3) / 200,
      },
      customer: { name: `Ecaterina Dumitrescu-Brătianu ${at}`, phone: '0712345678' },
      userId: driver.id,
      serviceTime: 3,
      totalPrice: 99_999,
      collectPayment: true,
      details: 'Fragil, două colete',
      completeBefore: minutesFromNow(20 * at - 60),
    }))
    await server.post('/tasks/bulkCreate', { tasks })
    await server.post(`/drivers/${driver.id}/tasks/optimizeTodayTasks`, {})
  }
  for (const awb of ['PARTNER-2026-0000000001', 'PARTNER-2026-0000000002', 'PARTNER-2026-0000000003'])
    await server.post('/tasks', aTask({ awb, details: 'Waits', pickupTask: true }))
  // As a geocoder leaves it that knows only cities.
  await server.database.everyone.run(sql`
    update addresses a set precision = 'approximate', precision_detail = 'city' from tasks t
    where t.organisation_id = ${server.organisationId} and t.awb like 'PARTNER-%'
      and a.organisation_id = t.organisation_id and a.task_id = t.id`)
  const [first] = drivers
  assert.ok(first)
  const { tasks } = (await server.get(`/tasks?userId=${first.id}`)).body
  const key = await signIn(server, first)
  await request(server.url, 'POST', `/api/v1/driver/tasks/${tasks[0].id}/start`, { key, body: {} })
  await request(server.url, 'POST', '/api/v1/driver/locations', {
    key,
    body: { locations: [{ lat: 44.44, lng: 26.09 }] },
  })
  await server.post(`/tasks/awb/${tasks[0].awb}/notes`, { note: 'Sună de două ori la interfon, e defect.' })
  await server.put(`/tasks/awb/${tasks[1].awb}/forceComplete`, { success: true })
  await server.put(`/tasks/awb/${tasks[2].awb}/forceComplete`, { success: false, failureReason: 'Adresă greșită' })
  // Nobody sets a limit of tries, but there is one: this was the last.
  await server.post('/tasks', aTask({ awb: 'PARTNER-2026-0000000004', userId: drivers[2]?.id }))
  await server.put('/tasks/awb/PARTNER-2026-0000000004/forceComplete', {
    success: false,
    failureReason: 'Destinatarul nu răspunde la interfon',
  })
  await server.database.everyone.run(sql`
    update tasks set attempt = ${mostTries}
    where organisation_id = ${server.organisationId} and awb = 'PARTNER-2026-0000000004'`)
  const [moving, delivered, failed, planned]: { id: number; uuid: string; awb: string }[] = tasks
  assert.ok(moving && delivered && failed && planned)
  const stops = { moving, delivered, failed, planned }
  return { server, taskId: moving.id, awb: moving.awb, driverId: first.id, stops }
}
