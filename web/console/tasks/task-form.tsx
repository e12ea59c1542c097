import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, lazy, useEffect, useId, useRef, useState } from 'react'
import type { TaskInput } from '../../../contract/task.ts'
import { dayOf } from '../../../core/task-day.ts'
import { api } from '../../api/client.ts'
import { type Task, useSetting } from '../../api/data.ts'
import { useOneKey } from '../../api/one-key.ts'
import { problemText } from '../../api/problem.ts'
import { useIsShop } from '../../api/session.ts'
import { useFormats, useMoneyReading } from '../../api/time.ts'
import { wholeDay } from '../../tasks/day.ts'
import { Button } from '../../ui/button.tsx'
import { CancelButton, Dialog } from '../../ui/dialog.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { Later } from '../../ui/later.tsx'
import { useTell } from '../../ui/toast.tsx'
import { Unsaved } from '../../ui/unsaved.ts'
import { useSay } from '../../words/console.ts'
import { useDispatch } from '../day/dispatch.tsx'
import { useTellStored } from '../day/show-task.ts'
import { checkDraft, coordinatesOf, type Draft, emptyDraft, type FieldName, inputOf, updateOf } from './form/draft.ts'
import { type FieldProblems, fieldProblems } from './form/field-problems.ts'
import { FormContext } from './form/form-context.tsx'
import { Essentials, FoldedGroups } from './form/form-groups.tsx'
import { OthersChanges } from './form/others-changes.tsx'
import { useTaskDraft } from './form/use-task-draft.ts'
import { isGone, taskQuery } from './task-query.ts'

const TemplatesBar = lazy(() => import('./templates/templates-bar.tsx'))

interface Props {
  /** The task to change. */
  task?: Task
  /** A task to copy. */
  copied?: Task
  onClose: () => void
}

const storedPlace = (task: Task | undefined) =>
  task && {
    address: task.address.address,
    coordinates: coordinatesOf(task),
    isRough: task.address.precision === 'approximate',
  }

const fieldNames = Object.keys(emptyDraft) as FieldName[]

/** Creates a task, or changes one that others may be changing too. */
export function TaskForm({ task: opened, copied, onClose }: Props) {
  const say = useSay()
  const tell = useTell()
  const client = useQueryClient()
  const formats = useFormats()
  const money = useMoneyReading()
  const { day } = useDispatch()
  const tellStored = useTellStored()
  const isShop = useIsShop()
  const teamNeedsDriver = useSetting('enableTeamAssignment') === false
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const [first] = useState(opened)
  const live = useQuery({ ...taskQuery(first?.id ?? 0), enabled: first !== undefined })
  const wasDeleted = isGone(live.error)
  const current = first && (live.data && live.data.updatedAt >= first.updatedAt ? live.data : first)
  const { draft, changed, theirs, type, takeTheirs, startAnother } = useTaskDraft({
    opened: first,
    current,
    copied,
    usual: wholeDay(day, dayOf(Date.now(), formats.timeZone)),
    writing: { ...formats, teamNeedsDriver },
  })
  const [problems, setProblems] = useState<FieldProblems>({})
  const [another, setAnother] = useState(false)
  /** Each new task begins without a template. */
  const [made, setMade] = useState(0)
  const isNew = !first || wasDeleted

  // When fields show errors, the focus moves to the first of them.
  const [refusals, setRefusals] = useState(0)
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [refusals])
  const refuse = (found: FieldProblems) => {
    setProblems(found)
    setRefusals((count) => count + 1)
  }
  const { keyOf, done } = useOneKey()
  const create = (body: TaskInput) => api.createTask({ body, idempotencyKey: keyOf(body) })
  const save = useMutation({
    mutationFn: async () =>
      current && !isNew
        ? api.updateTask({ params: { awb: current.awb }, body: updateOf(draft, changed, current) })
        : create(inputOf(draft)),
    onError: (error) => refuse(fieldProblems(error, say)),
    onSuccess({ task }) {
      done()
      client.setQueryData(['task', task.id], task)
      tellStored(task, isNew)
      if (!isNew || !another) return onClose()
      startAnother()
      setMade((count) => count + 1)
      form.current?.querySelector('input')?.focus()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // In React, events of a form in a portal bubble up to this one.
    if (event.target !== event.currentTarget) return
    const kept = isNew ? [] : fieldNames.filter((name) => !changed.includes(name))
    const found = Object.entries(checkDraft(draft, money, kept)).map(([name, word]) => [name, say(word)])
    if (found.length > 0) return refuse(Object.fromEntries(found))
    setProblems({})
    if (isNew || changed.length > 0) return save.mutate()
    tell(say('nothingChanged'))
    onClose()
  }
  const change = (typed: Partial<Draft>) => {
    const names = Object.keys(typed) as FieldName[]
    setProblems((all) => Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name as FieldName))))
    type(typed)
  }
  const hasPlace = Object.keys(problems).length > 0
  return (
    <Dialog
      title={
        first ? say('editTask', { awb: first.awb }) : copied ? say('duplicateOf', { awb: copied.awb }) : say('newTask')
      }
      open
      onClose={onClose}
      side
      wide
      footer={
        <>
          {!first && (
            <div className="flex grow items-center">
              <Checkbox
                label={say('createAnother')}
                checked={another}
                onChange={(event) => setAnother(event.target.checked)}
              />
            </div>
          )}
          <CancelButton />
          <Button look="primary" type="submit" form={id} busy={save.isPending}>
            {say(wasDeleted ? 'createAgain' : first ? 'save' : 'create')}
          </Button>
        </>
      }
    >
      <form id={id} ref={form} noValidate onSubmit={submit}>
        {first && current && <OthersChanges opened={first} task={current} />}
        {wasDeleted && <Notice>{say('deletedMeanwhile')}</Notice>}
        {save.isError && !hasPlace && <Notice>{problemText(save.error, say)}</Notice>}
        <FormContext value={{ draft, theirs, problems, isNew, stored: storedPlace(current), type: change, takeTheirs }}>
          {!first && !isShop && (
            <ErrorBoundary isQuiet>
              <Later>
                <TemplatesBar key={made} />
              </Later>
            </ErrorBoundary>
          )}
          <Essentials />
          <FoldedGroups />
        </FormContext>
      </form>
      <Unsaved isChanged={() => changed.length > 0 && !save.isPending} />
    </Dialog>
  )
}

const Notice = ({ children }: { children: string }) => (
  <p role="alert" className="mb-4 rounded-md bg-bad-soft px-3 py-2 text-bad">
    {children}
  </p>
)
