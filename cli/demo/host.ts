import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '../../sdk/client.ts'
import { commandLine } from '../../server/audit/record.ts'
import { type Config, readConfig } from '../../server/config.ts'
import { openDatabase } from '../../server/db/db.ts'
import { visitEmbedded } from '../../server/db/embedded.ts'
import { migrate } from '../../server/db/migrate.ts'
import { createLog } from '../../server/log.ts'
import { startServer } from '../../server/main.ts'
import { createOrganisation } from '../../server/organisations/actions.ts'
import { makeLink } from '../../server/people/actions.ts'
import { ensurePages } from '../console.ts'

/** Where the demo takes place. */
export interface Host {
  url: string
  key: string
  /** Known only if the demo started the server. */
  dataFolder?: string
  /** Who can sign in to the console; known only if the demo started the server. */
  person: { email: string; password: string } | undefined
  /** A shop that gives parcels to the courier; there only if the demo started the server. */
  shop?: { key: string; courierId: number; person: { email: string; password: string } } | undefined
  stop(): Promise<void>
}

/** Not a secret: the server contains only the demo and listens only on this machine. */
export const person = { email: 'demo@waybill.local', password: 'bucuresti-demo' }

/** Who signs in to the shop, and what it is called. */
const shopPerson = { email: 'magazin@waybill.local', password: 'magazin-demo' }
const shopName = 'Librăria Foișor'

const messages = {
  messageOnItsWay: true,
  messageNextStop: true,
  messageDelivered: true,
  messageFailed: true,
  // A demo may begin at any hour.
  messageQuietFrom: '00:00',
  messageQuietUntil: '00:00',
}

/** A server with a temporary data folder. */
export async function startHost(port: number): Promise<Host> {
  await using started = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'waybill-demo-'))
  started.defer(() => rm(folder, { recursive: true, force: true }))
  const config = readConfig({
    ...chosenLooks(process.env),
    PORT: String(port),
    WAYBILL_DATA: folder,
    WAYBILL_LOG: 'error',
    WAYBILL_ORGANISATION: 'Curierul Bucureștean',
    // Customers are told what happens, but nobody is bothered: the messages end in a file.
    WAYBILL_SMS: `file:${join(folder, 'sms.jsonl')}`,
  })
  const log = createLog(config.log, process.stderr)
  const pages = await ensurePages(folder, (sentence) => console.log(sentence))
  const { url, firstKey = '', firstLink, stop } = await startServer(config, log, pages)
  started.defer(stop)
  const body = { token: firstLink?.token ?? '', name: 'Dispecerat', ...person }
  await createClient({ url, key: '' }).setPassword({ body })
  const courier = createClient({ url, key: firstKey })
  await courier.updateCompany({ body: { settings: messages } })
  const shop = await openShop(config, url, courier)
  const running = started.move()
  return { url, key: firstKey, dataFolder: folder, person, shop, stop: () => running.disposeAsync() }
}

/** A second organisation, which only gives parcels to the first. Two of them are made at the command line, so here too. */
async function openShop(config: Config, url: string, courier: Client): Promise<Host['shop']> {
  const { company } = await courier.getCompany()
  const place = { country: config.first.country, timezone: company.timezone, currency: company.currency }
  const embedded = await visitEmbedded({ folder: config.dataFolder, programs: config.postgresPrograms, log: () => {} })
  const role = await migrate(embedded.url, () => {})
  const database = openDatabase({ url: embedded.url, role, connections: 1, onIdleError: () => {} })
  try {
    const made = await createOrganisation(database.everyone, { name: shopName, ...place }, undefined, commandLine)
    const { token } = await makeLink(database.everyone, made.organisation.id, made.adminId)
    await createClient({ url, key: '' }).setPassword({ body: { token, name: 'Librar', ...shopPerson } })
    const shop = createClient({ url, key: made.key })
    await shop.updateCompany({ body: { settings: { shopConsole: true } } })
    await shop.addPartner({ body: { companyId: company.id } })
    await courier.addPartner({ body: { companyId: made.organisation.id } })
    return { key: made.key, courierId: company.id, person: shopPerson }
  } finally {
    await database.close()
    await embedded.stop()
  }
}

/** Of the environment, the demo uses only the map and the routing engine, nothing that leads to real data. */
const chosenLooks = (environment: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => /^WAYBILL_(MAP|TRAVEL)/.test(name)))
