import { useEffect, useRef } from 'react'
import { isOursToDo } from '../../../../core/delegation.ts'
import { useIsShop, useMay } from '../../../api/session.ts'
import { useTell, useUndoLast } from '../../../ui/toast.tsx'
import { useSay } from '../../../words/console.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { views } from '../../day/filters.ts'
import { useMayUnassign } from '../../day/may-unassign.ts'
import { searchFieldId } from '../list/search-field.tsx'
import { useMoveTasks } from '../moving.ts'
import { useOpened } from '../opened.tsx'
import { type Command, findShortcut } from './shortcuts.ts'

/** Listens for the shortcuts of the dispatch screen, but not while someone types or a dialog is open. */
export function useKeyboard() {
  const run = useCommands()
  const may = useMay()
  const mayUnassign = useMayUnassign()
  const { opened } = useOpened()
  const isShop = useIsShop()
  const latest = useRef({ run, may, mayUnassign, opened, isShop })
  latest.current = { run, may, mayUnassign, opened, isShop }
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const shortcut = findShortcut(event)
      if (!shortcut?.command || event.defaultPrevented || event.altKey) return
      // The data may still be loading.
      if (isTyping(event.target) || latest.current.opened || somethingIsOpen()) return
      if (shortcut.shy && !isFree(event.target)) return
      if (shortcut.needs && !latest.current.may(shortcut.needs)) return
      if (shortcut.unassigns && !latest.current.mayUnassign) return
      if (shortcut.notForShops && latest.current.isShop) return
      event.preventDefault()
      latest.current.run(shortcut.command, event.key)
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}

function useCommands() {
  const { selection, byId, change } = useDispatch()
  const { open } = useOpened()
  const move = useMoveTasks()
  const undoLast = useUndoLast()
  const tell = useTell()
  const say = useSay()
  /** What a command applies to: the selection, or else the task at the cursor. */
  const meant = () => {
    const atCursor = selection.cursor === undefined ? undefined : byId.get(selection.cursor)
    return selection.tasks.length > 0 ? selection.tasks : atCursor ? [atCursor] : []
  }
  const commands: Record<Command | 'view', (key: string) => void> = {
    search: () => document.getElementById(searchFieldId)?.focus(),
    new: () => open({ what: 'new' }),
    assign: () => {
      const ours = meant().filter(isOursToDo)
      // Nothing to choose for: says why, as for anything else that cannot be assigned.
      if (ours.length > 0) open({ what: 'assign', tasks: ours })
      else if (meant().length > 0) tell(say('TASK_DELEGATED'), { bad: true })
    },
    unassign: () => move(meant(), null),
    down: () => selection.move(1),
    up: () => selection.move(-1),
    toggle: () => selection.cursor !== undefined && selection.toggle(selection.cursor),
    open: () => selection.cursor !== undefined && change({ task: selection.cursor }, false),
    undo: undoLast,
    escape: () => (selection.ids.size > 0 ? selection.clear() : selection.setCursor(undefined)),
    help: () => open({ what: 'help' }),
    view: (key) => change({ view: views[Number(key) - 1] }, false),
  }
  return (command: Command | 'view', key: string) => commands[command](key)
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.closest('form, textarea, select, input:not([type=checkbox], [type=radio])') !== null)

const somethingIsOpen = () => document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null

const isFree = (target: EventTarget | null) =>
  target === document.body || (target instanceof HTMLElement && target.matches('[role=grid], [data-panel]'))
