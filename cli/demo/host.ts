import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '../../sdk/client.ts'
import { readConfig } from '../../server/config.ts'
import { createLog } from '../../server/log.ts'
import { startServer } from '../../server/main.ts'
import { ensurePages } from '../console.ts'

/** Where the demo takes place. */
export interface Host {
  url: string
  key: string
  /** Who can sign in to the console; known only if the demo started the server. */
  person: { email: string; password: string } | undefined
  stop(): Promise<void>
}

/** Not a secret: the server contains only the demo and listens only on this machine. */
export const person = { email: 'demo@waybill.local', password: 'bucuresti-demo' }

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
  await createClient({ url, key: firstKey }).updateCompany({ body: { settings: messages } })
  const running = started.move()
  return { url, key: firstKey, person, stop: () => running.disposeAsync() }
}

/** Of the environment, the demo uses only the map and the routing engine, nothing that leads to real data. */
const chosenLooks = (environment: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => /^WAYBILL_(MAP|TRAVEL)/.test(name)))
