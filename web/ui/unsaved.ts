import {
  createContext,
  createElement,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

/*
 * Nothing typed is lost: whoever holds something typed says so here, and is asked only when someone wants to leave. A
 * dialog asks about what is typed in it, the router and the browser about everything on the page.
 */

type Check = () => boolean

const everywhere = new Set<Check>()
/** Whether anything on the page was changed and not saved. */
export const hasUnsaved = () => [...everywhere].some((isChanged) => isChanged())

/** Everything typed is given up, as when somebody signs out: nothing asks about it any more. */
export const forgetUnsaved = () => everywhere.clear()

/** What can be closed with something typed in it. */
interface Scope {
  held: Set<Check>
  leave: () => void
}
const ScopeContext = createContext<Scope | undefined>(undefined)

/** For a dialog: `leave` closes it, or first asks if something in it was changed. */
export function useUnsavedScope(onClose: () => void) {
  const [isAsking, setAsking] = useState(false)
  const [scope] = useState<Scope>(() => ({ held: new Set(), leave: onClose }))
  const leave = () => ([...scope.held].some((isChanged) => isChanged()) ? setAsking(true) : onClose())
  useLayoutEffect(() => {
    scope.leave = leave
  })
  const stay = () => setAsking(false)
  const discard = () => {
    stay()
    onClose()
  }
  return { scope, isAsking, leave, stay, discard }
}

export const UnsavedScope = ({ scope, children }: { scope: Scope; children: ReactNode }) =>
  createElement(ScopeContext, { value: scope }, children)

/** Closes the dialog around it as Escape would; undefined outside of one. */
export function useLeave(): (() => void) | undefined {
  const scope = useContext(ScopeContext)
  return scope && (() => scope.leave())
}

/** Asks before something is left while `isChanged` says that it would be lost. */
export function useUnsaved(isChanged: Check) {
  const scope = useContext(ScopeContext)
  const latest = useRef(isChanged)
  useLayoutEffect(() => {
    latest.current = isChanged
  })
  useEffect(() => {
    const check = () => latest.current()
    const places = [everywhere, ...(scope ? [scope.held] : [])]
    for (const place of places) place.add(check)
    return () => {
      for (const place of places) place.delete(check)
    }
  }, [scope])
}

/** The same, for a component that itself makes the dialog around it. */
export function Unsaved({ isChanged }: { isChanged: Check }) {
  useUnsaved(isChanged)
  return null
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const controlsOf = (form: HTMLFormElement | null) =>
  [...(form?.elements ?? [])].filter(
    (element): element is Control =>
      element.matches('input, select, textarea') && !element.matches('[type=file], [type=submit]'),
  )
const isTicked = (control: Control): control is HTMLInputElement => control.matches('[type=checkbox], [type=radio]')
const shownBy = (control: Control) => (isTicked(control) ? String(control.checked) : control.value)

/** A text field may appear without its form being drawn, and be typed into before it is first seen here. */
const shownFirstBy = (control: Control) =>
  isTicked(control) || control instanceof HTMLSelectElement ? shownBy(control) : control.defaultValue

/**
 * Whether the controls of a form have other values than when they appeared. Some appear late, with the list they show,
 * so each is remembered when it is first drawn.
 */
export function useFormChanges(form: RefObject<HTMLFormElement | null>): Check {
  const first = useRef(new WeakMap<Control, string>())
  useLayoutEffect(() => {
    for (const control of controlsOf(form.current))
      if (!first.current.has(control)) first.current.set(control, shownFirstBy(control))
  })
  return () =>
    controlsOf(form.current).some(
      (control) => (first.current.get(control) ?? shownFirstBy(control)) !== shownBy(control),
    )
}
