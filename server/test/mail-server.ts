import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

/** What to say to a line; '' says nothing, undefined what a mail server usually says. */
export type Say = (line: string, socket: Socket, mail: string) => string | undefined

/** A mail server that says yes to everything, except where a test says otherwise. `mails` is what it took. */
export async function startMailServer(t: TestContext, say: Say = () => undefined) {
  const mails: string[] = []
  const lines: string[] = []
  const server = createServer((socket) => {
    let data: string[] | undefined
    let rest = ''
    const reply = (text: string) => text && socket.write(`${text}\r\n`)
    const hear = (line: string) => {
      lines.push(line)
      if (data && line !== '.') return void data.push(line)
      const wanted = say(line, socket, data?.join('\n') ?? '')
      if (wanted !== undefined) return void reply(wanted)
      if (data) {
        mails.push(data.join('\n'))
        data = undefined
        return void reply('250 queued')
      }
      if (line === 'DATA') data = []
      if (line.startsWith('EHLO')) return void reply('250-mail.test\r\n250 AUTH PLAIN')
      reply(line === 'DATA' ? '354 go on' : line.startsWith('AUTH') ? '235 welcome' : '250 ok')
    }
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      const all = (rest + chunk).split('\r\n')
      rest = all.pop() as string
      for (const line of all) hear(line)
    })
    reply(say('', socket, '') ?? '220 mail.test')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return { mails, lines, port: (server.address() as AddressInfo).port }
}
