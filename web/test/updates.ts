import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

/** The server as phones see it while new versions of the app are published. */
export async function startUpdates(t: TestContext, url: string) {
  const target = new URL(url)
  let version: string | undefined
  let refusesWork = false
  const server = createServer((asked, answer) => {
    if (refusesWork && asked.url === '/api/v1/driver/sync') {
      asked.socket.destroy()
      return
    }
    // Whole and as it is, even if the browser knows it: it is changed below.
    const { 'if-none-match': _, ...asks } = asked.headers
    const headers = { ...asks, host: target.host, 'accept-encoding': 'identity' }
    const options = { port: target.port, host: target.hostname, path: asked.url, method: asked.method, headers }
    const passed = request(options, (got) => {
      const isWorker = asked.url === '/driver-worker.js' && version !== undefined
      if (!isWorker) {
        answer.writeHead(got.statusCode ?? 500, got.headers)
        got.pipe(answer)
        return
      }
      const parts: Buffer[] = []
      got.on('data', (part: Buffer) => parts.push(part))
      got.on('end', () => {
        const script = Buffer.concat(parts).toString()
        answer.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'no-cache' })
        answer.end(script.replace(/"version":"[^"]+"/, `"version":"${version}"`))
      })
    })
    passed.on('error', () => answer.destroy())
    answer.on('close', () => passed.destroy())
    asked.pipe(passed)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    publish: (name: string) => {
      version = name
    },
    refuseWork: (refuses: boolean) => {
      refusesWork = refuses
    },
  }
}
