import type { Word } from '../../../words/console.ts'

export type Command =
  | 'search'
  | 'new'
  | 'assign'
  | 'unassign'
  | 'down'
  | 'up'
  | 'toggle'
  | 'open'
  | 'undo'
  | 'escape'
  | 'help'

export interface Shortcut {
  /** None: the whole app listens for it. */
  command?: Command | 'view'
  /** As in `KeyboardEvent.key`. */
  keys: readonly string[]
  /** How the help shows them, if different. */
  shown?: readonly string[]
  word: Word
  /** The key also has a meaning in focused elements such as buttons, so it works only if none of them has the focus. */
  shy?: true
  /** Together with Ctrl, or ⌘ on a Mac. */
  control?: true
  needs?: 'tasks:write'
  /** It goes where tasks cannot be unassigned. */
  unassigns?: true
  /** Of what the console of a shop does not show. */
  notForShops?: true
}

/** Every shortcut: the listener and the help both read it. */
export const shortcuts: readonly Shortcut[] = [
  { command: 'search', keys: ['/'], word: 'keysSearch' },
  { command: 'new', keys: ['n'], word: 'keysNew', needs: 'tasks:write' },
  { command: 'assign', keys: ['a'], word: 'keysAssign', needs: 'tasks:write', notForShops: true },
  { command: 'unassign', keys: ['u'], word: 'keysUnassign', needs: 'tasks:write', unassigns: true, notForShops: true },
  { command: 'down', keys: ['j'], shown: ['j', '↓'], word: 'keysDown' },
  { command: 'down', keys: ['ArrowDown'], shown: [], word: 'keysDown', shy: true },
  { command: 'up', keys: ['k'], shown: ['k', '↑'], word: 'keysUp' },
  { command: 'up', keys: ['ArrowUp'], shown: [], word: 'keysUp', shy: true },
  { command: 'toggle', keys: ['x'], word: 'keysToggle' },
  { command: 'open', keys: ['Enter'], word: 'keysOpen', shy: true },
  { command: 'undo', keys: ['z'], shown: ['Ctrl+Z'], word: 'keysUndo', control: true, needs: 'tasks:write' },
  { keys: ['F6'], word: 'keysNotices' },
  { command: 'escape', keys: ['Escape'], shown: ['Esc'], word: 'keysEscape' },
  { command: 'view', keys: ['1', '2', '3', '4'], word: 'keysView', notForShops: true },
  { command: 'help', keys: ['?'], word: 'keysHelp' },
]

interface Pressed {
  key: string
  ctrlKey: boolean
  metaKey: boolean
}

export const findShortcut = ({ key, ctrlKey, metaKey }: Pressed) =>
  shortcuts.find(({ keys, control = false }) => keys.includes(key) && control === (ctrlKey || metaKey))
