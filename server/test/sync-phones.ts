import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { operations } from '../../contract/operations.ts'
import type { Action } from '../../phone/keep.ts'
import { createMemoryStore } from '../../phone/memory.ts'
import { createNews } from '../../phone/news.ts'
import { openPhone, type Phone } from '../../phone/phone.ts'
import type { Ports, Server } from '../../phone/ports.ts'
import { createTurns } from '../../phone/turns.ts'
import { clientFor, WaybillError } from '../../sdk/calls.ts'
import { makePng } from './pictures.ts'
import { request } from './server.ts'
import type { ModelOp } from './sync-model.ts'

/*
 * The phone of the app, as the model test uses it: its store is in memory, two tabs of it are open, its clock can be
 * set, and there is a network only while the test lets it send.
 */

export const noNetwork = () => new WaybillError(0, { code: 'networkDown', message: 'There is no network' })

/** Compressing costs more than the network of this machine. */
const plain = { 'accept-encoding': 'identity' }

/** The API as a device calls it; every answer is what the document says. */
export const clientOf = (url: string, token: string | null) =>
  clientFor(operations, async (path, { method, headers, body }) => {
    const raw = body instanceof Blob ? new Uint8Array(await body.arrayBuffer()) : body
    const reply = await request(url, method, path, {
      ...(token !== null && { key: token }),
      ...(raw !== undefined && { raw }),
      headers: { ...plain, ...headers },
    }).catch(() => {
      throw noNetwork()
    })
    return new Response(reply.text, { status: reply.status })
  })

export interface Given {
  url: string
  driver: number
  /** How wrong its clock is. */
  offsetMs: number
  /** How many ops it sends at once. */
  mostAtOnce: number
  /** What is between the phone and the server. */
  carry: (device: Device, server: Server) => Server
  /** Something in it is wrong on purpose. */
  spoil?: (ports: Ports, device: Device) => Ports
}

/** What the network does until the phone has had its try, and in which step that is. */
export interface Network {
  how: How
  step: number
  isDown: boolean
}
export const hows = ['once', 'once', 'twice', 'at once', 'unheard', 'doubled', 'cut', 'unheard picture'] as const
export type How = (typeof hows)[number]

export type Device = ReturnType<typeof openDevice>

/** When a phone sent something, and between which times of the server it arrived. */
interface Try {
  sentMs: number
  earliestMs: number
  latestMs: number
}

/** What a phone must not wait for: nothing in it happens by itself. */
const never = () => () => {}

export function openDevice({ url, driver, offsetMs, mostAtOnce, carry, spoil = (ports) => ports }: Given) {
  const problems: unknown[] = []
  let frozenMs: number | undefined
  let lastId = ''
  const ports: Ports = {
    store: createMemoryStore(),
    connect: (token) => carry(device, clientOf(url, token)),
    clock: { nowMs: () => frozenMs ?? Date.now() + offsetMs, later: never },
    alone: createTurns(),
    news: createNews(),
    describe: () => ({ name: 'Test' }),
    isOnMobileData: () => false,
    mostAtOnce,
    newId() {
      lastId = randomUUID()
      return lastId
    },
    forgetMap: async () => {},
    onBroken: (error) => problems.push(error),
  }
  const device = {
    driver,
    offsetMs,
    ports,
    network: undefined as Network | undefined,
    tabs: [] as Phone[],
    /** What was done with it and not undone, by name, in its order. */
    kept: new Map<string, ModelOp>(),
    /** When what a killed server may have done was sent, by name. */
    tries: new Map<string, Try[]>(),
    /** What was started and arrived at with it, of each task. */
    begun: new Map<number, string[]>(),
    /** Fails if anything in the phone did: it only tries again. */
    check() {
      if (problems.length > 0) throw problems[0]
    },
    /** As if the tab was killed: all it kept is what is stored. */
    kill(tab: number) {
      device.tabs[tab] = openPhone(spoiled)
    },
    phone: (tab: number) => device.tabs[tab] as Phone,
    /** Does something at that time of its clock. Answers the name it has from then on. */
    async keep(tab: number, atMs: number, action: Action, isHeld: boolean) {
      const phone = device.phone(tab)
      frozenMs = atMs
      const pictures =
        'fileId' in action
          ? [{ kind: 'photo' as const, fileId: action.fileId, taskId: action.taskId, bytes: makePng(2, 2).buffer }]
          : []
      await (isHeld ? phone.keepEnd([action], pictures) : phone.keepDone([action], pictures))
      const opId = lastId
      await phone.wake()
      frozenMs = undefined
      return opId
    },
  }
  const spoiled = spoil(ports, device)
  device.kill(0)
  device.kill(1)
  return device
}

/** Everything it keeps and shows, once everything is sent. */
export async function readDevice(device: Device) {
  const state = await device.phone(0).screen.read()
  assert.deepEqual([state.ops.length, state.unsentFiles.length], [0, 0], 'nothing waits')
  return state
}
