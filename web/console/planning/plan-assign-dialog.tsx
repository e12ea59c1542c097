import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { PackageCheck } from 'lucide-react'
import { useMemo, useState } from 'react'
import { mostItems } from '../../../contract/limits.ts'
import type { AssignInput } from '../../../contract/planning.ts'
import { awaitsDriver } from '../../../core/delegation.ts'
import { api } from '../../api/client.ts'
import { type Task, useTeams } from '../../api/data.ts'
import { problemText } from '../../api/problem.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Checkbox, SelectField, TextField } from '../../ui/field.tsx'
import { EmptyState, ErrorState } from '../../ui/state.tsx'
import { useTell } from '../../ui/toast.tsx'
import { useSay } from '../../words/console.ts'
import { onDay, useDispatch } from '../day/dispatch.tsx'
import { useMayUnassign } from '../day/may-unassign.ts'
import { newUndoId, useUndo } from '../day/undo.ts'
import { AssignedTasks, UnassignedTasks } from './assign-lists.tsx'
import { Computing } from './computing.tsx'
import { drawnOf } from './drawn/drawn-route.ts'
import { RoutesDrawn } from './drawn/routes-drawn.tsx'
import { DriversOfPlan } from './drivers-of-plan.tsx'
import { type Traffic, traffics } from './route.ts'
import { PlanWarnings, TravelNote } from './route-notes.tsx'

interface Scope {
  teamId: number | undefined
  includeOffDuty: boolean
  maxTasksPerDriver: number | undefined
  traffic: Traffic
}
const wholeFleet: Scope = {
  teamId: undefined,
  includeOffDuty: false,
  maxTasksPerDriver: undefined,
  traffic: 'best_guess',
}

const inputOf = (
  tasks: Task[],
  { teamId, includeOffDuty, maxTasksPerDriver, traffic }: Scope,
  day: string | undefined,
): AssignInput => ({
  tasks: tasks.slice(0, mostItems).map(({ id }) => id),
  ...(teamId && { teamId }),
  ...onDay(day),
  ...(includeOffDuty && !day && { includeOffDuty }),
  ...(maxTasksPerDriver && { maxTasksPerDriver }),
  traffic,
})

/** Finds drivers for waiting tasks, explains every choice, and assigns only on request. */
export default function PlanAssignDialog({ tasks, onClose }: { tasks: Task[]; onClose: () => void }) {
  const say = useSay()
  /** The tasks when the dialog was opened; later changes by others do not affect it. */
  const [waiting] = useState(() => tasks.filter(awaitsDriver))
  const { planDay, filters } = useDispatch()
  const [scope, setScope] = useState<Scope>({ ...wholeFleet, teamId: filters.team })
  const input = inputOf(waiting, scope, planDay)
  const preview = useQuery({
    queryKey: ['plan-assign', input],
    queryFn: async () => (await api.planAssignments({ body: { ...input, dryRun: true } })).plan,
    enabled: waiting.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  const apply = useApply(input, onClose)
  const plan = preview.data
  const drawn = useMemo(() => plan?.routes.map((route) => drawnOf(route, route)) ?? [], [plan])
  return (
    <Dialog
      title={say('planAssignTitle')}
      lead={say('planAssignLead')}
      open
      onClose={onClose}
      wide
      footer={
        <>
          <Button onClick={onClose}>{say('cancel')}</Button>
          <Button
            look="primary"
            disabled={!plan || plan.assigned.length === 0 || preview.isFetching}
            busy={apply.isPending}
            onClick={() => apply.mutate(newUndoId())}
          >
            {say('apply')}
          </Button>
        </>
      }
    >
      {waiting.length === 0 ? (
        <EmptyState picture={<PackageCheck />} title={say('planNothing')}>
          {say('planNothingLead')}
        </EmptyState>
      ) : (
        <div className="grid gap-4">
          <ScopeFields scope={scope} onScope={setScope} />
          {waiting.length > mostItems && <p className="text-waiting">{say('onlyFirst', { n: mostItems })}</p>}
          {preview.isFetching && <Computing />}
          {preview.isError && <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />}
          {plan && !preview.isFetching && (
            <>
              <p className="font-medium">
                {say('planFinds', { n: plan.assigned.length })}
                {plan.unassigned.length > 0 && (
                  <span className="text-waiting"> · {say('planStays', { n: plan.unassigned.length })}</span>
                )}
              </p>
              <RoutesDrawn routes={drawn} />
              <AssignedTasks plan={plan} tasks={waiting} />
              <UnassignedTasks plan={plan} tasks={waiting} />
              <DriversOfPlan plan={plan} />
              <ul className="grid gap-1.5 text-ink-soft">
                <PlanWarnings warnings={plan.warnings} />
                <TravelNote travel={plan.travel} />
              </ul>
            </>
          )}
        </div>
      )}
    </Dialog>
  )
}

function ScopeFields({ scope, onScope }: { scope: Scope; onScope: (scope: Scope) => void }) {
  const say = useSay()
  const { planDay } = useDispatch()
  const { data: teams = [] } = useTeams()
  return (
    <div className="flex flex-wrap items-end gap-4">
      <SelectField
        label={say('planScope')}
        value={scope.teamId ?? ''}
        onChange={({ target }) => onScope({ ...scope, teamId: Number(target.value) || undefined })}
        className="w-44"
      >
        <option value="">{say('allTeams')}</option>
        {teams.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={say('traffic')}
        value={scope.traffic}
        onChange={({ target }) => onScope({ ...scope, traffic: target.value as Traffic })}
        className="w-36"
      >
        {traffics.map((one) => (
          <option key={one} value={one}>
            {say(`traffic_${one}`)}
          </option>
        ))}
      </SelectField>
      <TextField
        label={say('mostTasksEach')}
        type="number"
        min={1}
        max={mostItems}
        placeholder={say('noLimit')}
        value={scope.maxTasksPerDriver ?? ''}
        onChange={({ target }) => onScope({ ...scope, maxTasksPerDriver: mostOf(target.value) })}
        className="w-44"
      />
      {/* On another day nobody is on duty yet: the shifts decide. */}
      {!planDay && (
        <div className="flex h-8 items-center">
          <Checkbox
            label={say('includeOffDuty')}
            checked={scope.includeOffDuty}
            onChange={({ target }) => onScope({ ...scope, includeOffDuty: target.checked })}
          />
        </div>
      )}
    </div>
  )
}

const mostOf = (text: string) => {
  const value = Math.floor(Number(text))
  return value >= 1 ? Math.min(mostItems, value) : undefined
}

function useApply(input: AssignInput, onDone: () => void) {
  const client = useQueryClient()
  const tell = useTell()
  const say = useSay()
  const undo = useUndo()
  const mayUnassign = useMayUnassign()
  return useMutation({
    mutationFn: async (undoId: string) => (await api.planAssignments({ body: { ...input, undoId } })).plan,
    onSuccess({ assigned, unassigned }, undoId) {
      const stays = unassigned.length > 0 ? ` · ${say('planStays', { n: unassigned.length })}` : ''
      tell(say('planApplied', { n: assigned.length }) + stays, mayUnassign ? { undo: () => void undo(undoId) } : {})
      void client.invalidateQueries({ queryKey: ['tasks'] })
      onDone()
    },
    onError: (error) => tell(problemText(error, say), { bad: true }),
  })
}
