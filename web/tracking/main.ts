import { callNames } from '../../contract/live.ts'
import { swapPage } from './swap.ts'

/*
 * The page works without this. With it, the page shows changes as they happen, sends its forms without leaving, and says
 * when it is not live. What it shows is always a page that the server wrote.
 */

const path = location.pathname
/** Without a stream, and for what changes with the clock. */
const askEveryMs = 60_000
const reopenMs = 30_000

let stream: EventSource | undefined
let isLive = false
/** The texts of the last page that was read, with the time it was made. */
let texts = textsOf(document)

function textsOf(page: Document) {
  const { live = '', updated = '', since = '' } = page.querySelector<HTMLElement>('#live')?.dataset ?? {}
  return { live, updated, since, asOf: page.querySelector('#live span')?.textContent ?? '' }
}

/** Says how new the page is: live; asked now and then; or old, because it could not be asked. */
function tell(how: 'now' | 'asked' | 'old') {
  const line = document.querySelector<HTMLElement>('#live')
  const span = line?.querySelector('span')
  if (!line || !span) return
  line.className = how === 'asked' ? '' : how
  const text = how === 'now' ? texts.live : how === 'old' ? texts.since : texts.asOf
  const more = how === 'now' ? ` · ${texts.updated}` : ''
  if (span.textContent === text + more) return
  const wide = document.createElement('span')
  wide.className = 'wide-only'
  wide.textContent = more
  span.replaceChildren(text, wide)
}

let asking: Promise<void> | undefined
let isAskedAgain = false

/** Reads the page again, one at a time: what happens meanwhile is in the next one. */
function refresh(): Promise<void> {
  isAskedAgain = asking !== undefined
  asking ??= read().finally(() => {
    asking = undefined
    if (isAskedAgain) void refresh()
  })
  return asking
}

async function read() {
  const response = await fetch(path, { cache: 'no-store' }).catch(() => undefined)
  // It has closed, or the task is gone: the server says so.
  if (response?.status === 404) return location.replace(path)
  if (!response?.ok) return tell('old')
  show(await response.text(), false)
}

function show(text: string, isOwnAction: boolean) {
  const fresh = new DOMParser().parseFromString(text, 'text/html')
  texts = textsOf(fresh)
  swapPage(fresh, isOwnAction)
  tell(isLive ? 'now' : 'asked')
  prepareMap()
}

function open() {
  stream?.close()
  const opened = new EventSource(`${path}/stream`)
  stream = opened
  opened.onopen = () => {
    isLive = true
    // Something may have changed before the stream began.
    void refresh()
  }
  opened.addEventListener(callNames.lookAgain, () => void refresh())
  opened.onerror = () => {
    isLive = false
    tell('old')
    // After a refusal a browser does not try again.
    if (opened.readyState === EventSource.CLOSED && stream === opened) setTimeout(open, reopenMs)
  }
}

document.addEventListener('submit', async (event) => {
  const form = event.target as HTMLFormElement
  event.preventDefault()
  const button = form.querySelector('button')
  if (!button || button.disabled) return
  button.disabled = true
  const body = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]))
  const response = await fetch(form.action, { method: 'POST', body }).catch(() => undefined)
  button.disabled = false
  if (response?.ok) show(await response.text(), true)
  else complain(form)
})

/** The text stays in its field. */
function complain(form: HTMLFormElement) {
  const line = form.querySelector('.problem') ?? document.createElement('p')
  line.className = 'problem'
  line.setAttribute('role', 'alert')
  line.textContent = document.querySelector<HTMLElement>('#live')?.dataset['failed'] ?? ''
  form.append(line)
}

function prepareMap() {
  const map = document.querySelector<HTMLElement>('#map')
  if (!map?.hidden) return
  map.hidden = false
  map.querySelector('button')?.addEventListener('click', async ({ currentTarget }) => {
    const button = currentTarget as HTMLButtonElement
    button.disabled = true
    try {
      const { openMap } = await import('./map/open-map.tsx')
      openMap(map)
    } catch {
      button.disabled = false
      button.querySelector('.label')?.replaceChildren(map.dataset['failed'] ?? '')
    }
  })
}

prepareMap()
open()
setInterval(() => {
  if (!document.hidden) void refresh()
}, askEveryMs)
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void refresh()
})
window.addEventListener('offline', () => {
  isLive = false
  tell('old')
})
window.addEventListener('online', open)
