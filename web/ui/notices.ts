export interface Options {
  bad?: boolean
  undo?: () => void
  /** Called when the notice disappears without an undo: for what cannot be reverted once it is done. */
  whenGone?: () => void
  /** Leads to what the notice is about. */
  link?: { label: string; go: () => void }
}
export interface Notice extends Options {
  id: number
  text: string
}

const mostShown = 4
const shownMs = 6_000
/** Buttons and errors need more time to read and to reach. */
const longMs = 15_000

/** Beyond this the oldest disappears. */
export const addNotice = (all: readonly Notice[], notice: Notice) => [...all.slice(1 - mostShown), notice]
export const dropNotice = (all: readonly Notice[], id: number) => all.filter((notice) => notice.id !== id)

/** What the undo keys apply to: the latest notice that can be undone. */
export const lastUndoable = (all: readonly Notice[]) => all.findLast(({ undo }) => undo)

export const stayMsOf = ({ bad, undo, link }: Options) => (bad || undo || link ? longMs : shownMs)
