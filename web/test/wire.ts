import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

/** By server: at an address where it was open before, the browser has the files of a page, and has compiled them. */
const wires = new Map<string, ReturnType<typeof makeWire>>()

/** A connection between a page and the server that can be cut and restored. */
export async function startWire(t: TestContext, url: string) {
  const made = wires.get(url) ?? makeWire(Number(new URL(url).port))
  wires.set(url, made)
  const wire = await made
  wire.mend()
  t.after(wire.cut)
  return wire
}

async function makeWire(port: number) {
  const open = new Set<Socket>()
  let isCut = false
  let losesAnswers = false
  const server = createServer((near) => {
    if (isCut) {
      near.destroy()
      return
    }
    const far = connect(port, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.on('data', (bytes) => {
        if (one === far && losesAnswers) near.destroy()
        else if (!other.write(bytes)) one.pause()
      })
      other.on('drain', () => one.resume())
      one.on('end', () => other.end())
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const cut = () => {
    isCut = true
    for (const socket of open) socket.destroy()
  }
  server.unref()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    /** What the page sends arrives, and the connection breaks before the answer comes. */
    loseAnswers: () => {
      losesAnswers = true
    },
    mend: () => {
      isCut = false
      losesAnswers = false
    },
  }
}
