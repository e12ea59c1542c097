/*
 * Puts what is new of a page into the one that is shown, part by part: what did not change is not touched, so nothing
 * jumps, a map goes on, and nobody loses what they are writing.
 */

export function swapPage(fresh: Document, isOwnAction: boolean) {
  const before = headlineOf(document)
  document.title = fresh.title
  document.body.dataset['state'] = fresh.body.dataset['state']
  swapParts(document.querySelector('main'), fresh.querySelector('main'), isOwnAction)
  // What was refused is said until the next try.
  for (const id of isOwnAction ? ['#problem', '#closing'] : ['#closing'])
    swapPart(document.querySelector(id), fresh.querySelector(id))
  const after = headlineOf(document)
  const news = document.querySelector('#news')
  // For people who do not see it.
  if (news && after !== before) news.textContent = after
}

const headlineOf = (page: Document) =>
  [...page.querySelectorAll('#status > :not(.way)')].map((line) => line.textContent?.trim()).join('. ')

function swapParts(shown: Element | null, fresh: Element | null, isOwnAction: boolean) {
  if (!shown || !fresh) return
  const wanted = [...fresh.children]
  for (const part of [...shown.children]) if (!wanted.some(({ id }) => id === part.id)) part.remove()
  for (const [place, part] of wanted.entries()) {
    const old = shown.querySelector(`:scope > #${part.id}`)
    if (!old) shown.insertBefore(part, shown.children[place] ?? null)
    else if (part.id === 'map') moveOnMap(old as HTMLElement, part as HTMLElement)
    else if (isOwnAction || !isInUse(old) || !part.querySelector('form')) swapPart(old, part)
  }
}

function swapPart(old: Element | null, fresh: Element | null) {
  if (old && fresh && !old.isEqualNode(fresh)) old.replaceWith(fresh)
}

/** The map watches these. */
function moveOnMap(shown: HTMLElement, fresh: HTMLElement) {
  for (const [name, value] of Object.entries(fresh.dataset))
    if (shown.dataset[name] !== value) shown.dataset[name] = value
}

/** Somebody is writing in it, or has. */
function isInUse(part: Element): boolean {
  const fields = [...part.querySelectorAll('textarea')]
  return (
    part.contains(document.activeElement) ||
    fields.some(({ value }) => value !== '') ||
    part.querySelector(':checked') !== null
  )
}
