import { useState } from 'react'
import { longest, mostDaysAhead } from '../../../../contract/limits.ts'
import type { ScheduledTask } from '../../../../contract/schedule.ts'
import { api } from '../../../api/client.ts'
import { type Driver, type Schedule, type Team, useDrivers, useTeams } from '../../../api/data.ts'
import { useFormats } from '../../../api/time.ts'
import { today as todayIn } from '../../../tasks/day.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Checkbox, SelectField, TextArea, TextField } from '../../../ui/field.tsx'
import { Form, textOf } from '../../../ui/form.tsx'
import { fieldProblem, otherProblem, useSave } from '../../../ui/save.ts'
import { Loaded } from '../../../ui/state.tsx'
import { useSay } from '../record-words.ts'
import { draftOfRule, ruleOf } from './rule.ts'
import { RuleFields } from './rule-fields.tsx'

const fields = [
  'name',
  'start',
  'end',
  'from',
  'until',
  'daysAhead',
  'awbPrefix',
  'repeats.interval',
  'repeats.monthDay',
  'task.address.address',
  'task.customer.name',
  'task.customer.phone',
  'task.details',
  'task.teamId',
  'task.userId',
]

/** The task with what the form shows of it; what it does not show stays. */
function readTask(
  form: FormData,
  { address, customer, userId: _, teamId: __, ...kept }: Partial<ScheduledTask> = {},
): ScheduledTask {
  const typed = textOf(form, 'address') ?? ''
  const [name, phone] = [textOf(form, 'customerName') ?? '', textOf(form, 'customerPhone') ?? '']
  const [userId, teamId] = [Number(form.get('userId')), Number(form.get('teamId'))]
  return {
    ...kept,
    address: address?.address === typed ? address : { address: typed },
    details: textOf(form, 'details') ?? '',
    ...((name || phone || customer) && { customer: { ...customer, name, phone } }),
    ...(userId > 0 && { userId }),
    ...(teamId > 0 && { teamId }),
  }
}

interface Props {
  schedule?: Schedule | undefined
  onClose: () => void
}

/** Makes a task repeat, or changes the rest of a series. With all it offers, or not at all: what it could not show would be lost. */
export function ScheduleForm({ schedule, onClose }: Props) {
  const say = useSay()
  const [drivers, teams] = [useDrivers(), useTeams()]
  return (
    <Dialog
      title={say(schedule ? 'editSchedule' : 'newSchedule')}
      {...(schedule && { lead: say('editScheduleLead') })}
      open
      onClose={onClose}
      side
    >
      <Loaded query={drivers}>
        {(drivers) => (
          <Loaded query={teams}>
            {(teams) => <ScheduleFields schedule={schedule} drivers={drivers} teams={teams} onClose={onClose} />}
          </Loaded>
        )}
      </Loaded>
    </Dialog>
  )
}

function ScheduleFields({ schedule, drivers, teams, onClose }: Props & { drivers: Driver[]; teams: Team[] }) {
  const say = useSay()
  const { timeZone } = useFormats()
  const [first] = useState(() => draftOfRule(schedule, todayIn(timeZone)))
  const [rule, setRule] = useState(first)
  const task = schedule?.task
  const save = useSave(
    async (form: FormData) => {
      const body = {
        name: textOf(form, 'name') ?? '',
        task: readTask(form, task),
        ...ruleOf(rule),
        daysAhead: Number(form.get('daysAhead')) || 7,
        awbPrefix: textOf(form, 'awbPrefix'),
        isPaused: form.has('isPaused'),
      }
      // A schedule that counts has no last day; the form leaves that as it is.
      const { until, ...others } = body
      const changed =
        schedule?.count && !until ? others : { ...others, until: until ?? null, ...(until && { count: null }) }
      if (schedule) await api.updateSchedule({ params: { scheduleId: schedule.id }, body: changed })
      else await api.createSchedule({ body })
    },
    { changes: ['schedules'], told: say('scheduleSaved'), onDone: onClose, inForm: true },
  )
  const wrong = (field: string) => fieldProblem(save.error, field, say)
  return (
    <Form
      busy={save.isPending}
      problem={otherProblem(save.error, fields, say)}
      onCancel={onClose}
      onSubmit={(form) => save.mutate(form)}
    >
      <TextField
        label={say('name')}
        name="name"
        defaultValue={schedule?.name}
        required
        maxLength={longest.name}
        error={wrong('name')}
      />
      <TextField
        label={say('address')}
        name="address"
        defaultValue={task?.address.address}
        required
        maxLength={longest.addressLine}
        error={wrong('task.address.address') ?? wrong('task.address')}
      />
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label={say('customer')}
          name="customerName"
          defaultValue={task?.customer?.name}
          maxLength={longest.name}
          error={wrong('task.customer.name')}
        />
        <TextField
          label={say('phone')}
          name="customerPhone"
          type="tel"
          defaultValue={task?.customer?.phone}
          maxLength={longest.phone}
          error={wrong('task.customer.phone')}
        />
        <SelectField label={say('driver')} name="userId" defaultValue={task?.userId ?? ''} error={wrong('task.userId')}>
          <option value="">{say('none')}</option>
          {drivers.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField label={say('team')} name="teamId" defaultValue={task?.teamId ?? ''} error={wrong('task.teamId')}>
          <option value="">{say('none')}</option>
          {teams.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      </div>
      <TextArea
        label={say('details')}
        name="details"
        defaultValue={task?.details}
        maxLength={longest.text}
        error={wrong('task.details')}
      />
      <RuleFields rule={rule} set={(more) => setRule((all) => ({ ...all, ...more }))} wrong={wrong} />
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label={say('daysAheadLabel')}
          hint={say('daysAheadHint')}
          name="daysAhead"
          type="number"
          min={1}
          max={mostDaysAhead}
          defaultValue={schedule?.daysAhead ?? 7}
          required
          error={wrong('daysAhead')}
        />
        <TextField
          label={say('awbPrefixLabel')}
          name="awbPrefix"
          defaultValue={schedule?.awbPrefix ?? ''}
          maxLength={longest.awbPrefix}
          error={wrong('awbPrefix')}
        />
      </div>
      <Checkbox label={say('pauseSchedule')} name="isPaused" defaultChecked={schedule?.isPaused} />
    </Form>
  )
}
