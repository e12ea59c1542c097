import assert from 'node:assert/strict'
import { sql } from '../../server/db/sql.ts'
import { aTask } from '../../server/test/factories.ts'
import { startPushService } from '../../server/test/push-service.ts'
import { until } from '../../server/test/until.ts'
import { assertAccessible } from './axe.ts'
import { test } from './console.ts'
import { type Phone, says, startDriver, tap } from './driver.ts'

/**
 * The browser of the tests has no push service behind it, and neither asks nor shows notifications: this driver
 * answers, and the phone subscribes to our own service.
 */
async function answering({ page }: Phone, answer: 'granted' | 'denied', subscription: object) {
  await page.addInitScript(
    ([answer, subscription]) => {
      Object.defineProperty(Notification, 'permission', { get: () => localStorage.getItem('answer') ?? 'default' })
      Notification.requestPermission = async () => {
        localStorage.setItem('answer', answer)
        return answer
      }
      PushManager.prototype.subscribe = async () => ({ toJSON: () => subscription }) as PushSubscription
    },
    [answer, subscription] as const,
  )
}

interface WorkerScope {
  registration: ServiceWorkerRegistration
  clients: { openWindow: (url: string) => Promise<void> }
  shown: [title: string, body: string | undefined, lang: string | undefined][]
  opened: string
}

test('a driver who wants it is told of new work while the app is closed, in the language of the phone', async (t) => {
  const { takePhone, invite, wire, server, driver } = await startDriver(t)
  const service = await startPushService(t)
  const { subscription, read } = service.subscribe()
  const phone = await takePhone({ locale: 'ro-RO', permissions: ['geolocation'], fresh: true })
  await answering(phone, 'granted', subscription)
  const { page, context } = phone
  await page.goto(`${wire.url}/driver#${(await invite()).link.split('#')[1]}`)
  await tap(page, 'Am înțeles')
  await says(page, 'Vrei să afli când biroul îți modifică comenzile?')
  await assertAccessible(page, 'the question about notifications')
  await tap(page, 'Anunță-mă')
  const db = server.database.everyone
  const subscribed = () =>
    db.many(sql`select device_id from push_subscriptions where organisation_id = ${server.organisationId}`)
  await until('the server to know how to call', async () => (await subscribed()).length === 1)
  await says(page, 'Totul trimis')

  // The app is closed, and the office is not.
  const other = await context.newPage()
  const devtools = await context.newCDPSession(other)
  let registrationId = ''
  devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    registrationId =
      registrations.find(({ scopeURL }) => scopeURL.endsWith('/driver'))?.registrationId ?? registrationId
  })
  await devtools.send('ServiceWorker.enable')
  await page.close()
  await server.post('/tasks', aTask({ awb: 'B-1', userId: driver.id }))
  await server.makeRound('push')
  await db.run(sql`
    update push_subscriptions set due_at = now() where organisation_id = ${server.organisationId} and due_at is not null`)
  await server.makeRound('push')
  const [message] = await service.waitFor(1)
  assert.ok(message)
  await until('the service worker', () => registrationId !== '')
  const [worker] = context.serviceWorkers()
  assert.ok(worker)
  await worker.evaluate(() => {
    const scope = self as unknown as WorkerScope
    Object.assign(scope, { shown: [], opened: '' })
    scope.registration.showNotification = async (title, given) =>
      void scope.shown.push([title, given?.body, given?.lang])
    scope.clients.openWindow = async (url) => {
      scope.opened = url
    }
  })
  const lookInto = () =>
    worker.evaluate(() => {
      const { shown, opened } = self as unknown as WorkerScope
      return { shown, opened }
    })
  const data = read(message)
  await devtools.send('ServiceWorker.deliverPushMessage', { origin: wire.url, registrationId, data })

  await until('a notification', async () => (await lookInto()).shown.length > 0)
  assert.deepEqual((await lookInto()).shown, [['Waybill', 'Biroul ți-a modificat comenzile. Apasă ca să vezi.', 'ro']])

  await worker.evaluate(() => {
    const notification = { close() {} }
    self.dispatchEvent(Object.assign(new Event('notificationclick'), { notification, waitUntil() {} }))
  })
  await until('the app to open', async () => (await lookInto()).opened === '/driver')
})

test('a driver who does not want notifications is not asked again, and can change that under "Me"', async (t) => {
  const { takePhone, invite, wire } = await startDriver(t)
  const phone = await takePhone({ permissions: ['geolocation'] })
  await answering(phone, 'denied', {})
  const { page } = phone
  await page.goto(`${wire.url}/driver#${(await invite()).link.split('#')[1]}`)
  await tap(page, 'Got it')
  await tap(page, 'No, thanks')
  await page.reload()
  await says(page, 'Next stop')
  assert.equal(await page.getByText('Be told when the office changes your tasks?').count(), 0)
  await page.getByRole('link', { name: 'Me' }).click()
  await tap(page, 'Notify me')
  await says(page, /Notifications of this app are blocked/)
  await assertAccessible(page, 'notifications that are blocked')
})
