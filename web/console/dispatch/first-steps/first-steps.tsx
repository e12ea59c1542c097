import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CircleCheck, CircleDashed, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { FirstSteps as Taken } from '../../../../contract/company.ts'
import { isOursToDo } from '../../../../core/delegation.ts'
import { Assigned, InTransit, Unassigned } from '../../../../core/task-status.ts'
import { api } from '../../../api/client.ts'
import { type Company, keysOf, useHubs, useTeams } from '../../../api/data.ts'
import { problemText } from '../../../api/problem.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { join } from '../../../ui/class-names.ts'
import { useSave } from '../../../ui/save.ts'
import { useTell } from '../../../ui/toast.tsx'
import { useLaterSay } from '../../../words/later.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { useOpened } from '../opened.tsx'

type Step = keyof Taken
const steps = ['hub', 'team', 'driver', 'invited', 'task', 'assigned', 'delivered'] as const satisfies Step[]

/** What has to be there before a step makes sense. */
const needs: Partial<Record<Step, Step>> = { invited: 'driver', assigned: 'task', delivered: 'assigned' }

/** The way to a first delivery: each step leads to where it is taken, and is ticked off when it was. */
export default function FirstSteps() {
  const say = useLaterSay('firstSteps')
  const taken = useTaken()
  const go = useGo()
  const tell = useTell()
  const take = (step: Step, taken: Taken) =>
    go(step, taken).catch((error) => tell(problemText(error, say), { bad: true }))
  const { hide, isHiding } = useHide(taken)
  if (!taken || isHiding) return null
  const next = steps.find((step) => !taken[step])
  const done = steps.filter((step) => taken[step]).length
  return (
    <section
      aria-label={say('firstSteps')}
      className="flex shrink-0 items-center gap-x-3 gap-y-1 border-line border-b bg-chosen px-3 py-2 xl:px-4"
    >
      <div className="min-w-0 shrink-0 max-sm:shrink">
        <h2 className="font-semibold">{say('firstSteps')}</h2>
        <p className="numbers text-ink-soft text-xs">{say('stepsTaken', { done, all: steps.length })}</p>
      </div>
      {next ? (
        <ol className="flex min-w-0 grow flex-wrap items-center gap-1">
          {steps.map((step) => (
            <li key={step} className={step === next ? '' : 'max-lg:hidden'}>
              {taken[step] ? (
                <span className="flex h-8 items-center gap-1.5 px-2 text-ink-soft">
                  <CircleCheck aria-hidden className="size-4 text-good" />
                  <span aria-hidden>{say(`step_${step}`)}</span>
                  <span className="sr-only">{say('stepTaken', { step: say(`step_${step}`) })}</span>
                </span>
              ) : (
                <Button
                  look={step === next ? 'primary' : 'quiet'}
                  title={say(`why_${step}`)}
                  onClick={() => void take(step, taken)}
                >
                  {step !== next && <CircleDashed aria-hidden />}
                  {say(`step_${step}`)}
                </Button>
              )}
            </li>
          ))}
          <li className={join('w-full text-ink-soft text-xs', 'max-sm:hidden')}>{say(`why_${next}`)}</li>
        </ol>
      ) : (
        <p role="status" className="flex min-w-0 grow items-center gap-1.5 font-medium">
          <CircleCheck aria-hidden className="size-4 shrink-0 text-good" />
          {say('allStepsTaken')}
        </p>
      )}
      <IconButton label={say('hideFirstSteps')} onClick={hide}>
        <X />
      </IconButton>
    </section>
  )
}

/** Asked again whenever something shown here changes; what happens elsewhere is noticed a little later. */
const refreshMs = 10_000

function useTaken(): Taken | undefined {
  const { all, drivers } = useDispatch()
  const { data: hubs = [] } = useHubs()
  const { data: teams = [] } = useTeams()
  const states = all.map(({ statusId }) => statusId).join()
  // What is shown before the server knows it would be asked about too early.
  const newest = all.reduce((time, { updatedAt }) => (updatedAt > time ? updatedAt : time), '')
  return useQuery({
    queryKey: [...keysOf.company, 'firstSteps', hubs.length, teams.length, drivers.length, states, newest],
    queryFn: async () => (await api.getFirstSteps()).firstSteps,
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  }).data
}

function useGo() {
  const navigate = useNavigate()
  const { change } = useDispatch()
  const { open } = useOpened()
  const findTask = async (...states: number[]) =>
    (await api.listTasks({ query: { statusId: states.join(), limit: 50 } })).tasks.find(isOursToDo)
  const go = async (step: Step, taken: Taken): Promise<void> => {
    const before = needs[step]
    if (before && !taken[before]) return go(before, taken)
    switch (step) {
      case 'hub':
        return navigate({ to: '/hubs', hash: 'new' })
      case 'team':
        return navigate({ to: '/teams', hash: 'new' })
      case 'driver':
        return navigate({ to: '/drivers', hash: 'new' })
      case 'invited':
        return navigate({ to: '/drivers', hash: 'invite' })
      case 'task':
        return open({ what: 'new' })
      case 'assigned': {
        const task = await findTask(Unassigned)
        return open(task ? { what: 'assign', tasks: [task] } : { what: 'new' })
      }
      case 'delivered': {
        const task = await findTask(Assigned, InTransit)
        return task ? change({ task: task.id }) : open({ what: 'new' })
      }
    }
  }
  return go
}

/** Hidden for the whole organisation: by hand, or when everything was done before this was looked at. */
function useHide(taken: Taken | undefined) {
  const client = useQueryClient()
  const save = useSave(() => api.updateCompany({ body: { firstSteps: 'done' } }), {
    changes: [],
    onDone: ({ company }) => client.setQueryData<Company>(keysOf.company, company),
  })
  const hide = () => save.mutate(undefined)
  const hasLooked = useRef(false)
  const isComplete = taken && steps.every((step) => taken[step])
  useEffect(() => {
    if (!taken || hasLooked.current) return
    hasLooked.current = true
    if (isComplete) hide()
  })
  return { hide, isHiding: save.isPending || save.isSuccess }
}
