import { useRef } from 'react'
import { longest, mostLunchMinutes } from '../../../../contract/limits.ts'
import { api } from '../../../api/client.ts'
import { type Driver, useTeams } from '../../../api/data.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Checkbox, SelectField, TextField } from '../../../ui/field.tsx'
import { Form, idsOf, textOf } from '../../../ui/form.tsx'
import { Later } from '../../../ui/later.tsx'
import { PictureField } from '../../../ui/picture-field.tsx'
import { fieldProblem, otherProblem, useSave } from '../../../ui/save.ts'
import { useLaterSay } from '../../../words/later.ts'
import { useSay, type Word } from '../record-words.ts'
import { readHours, WeekdayShifts } from './weekday-shifts.tsx'

const fields = [
  'name',
  'avatar',
  'phone',
  'email',
  'teams',
  'startShiftTime',
  'endShiftTime',
  ...[0, 1, 2, 3, 4, 5, 6].flatMap((index) => ['day', 'start', 'end'].map((part) => `shiftTimes.${index}.${part}`)),
  'lunchBreakStart',
  'lunchBreakEnd',
  'lunchBreakDuration',
]
const transports = [1, 2, 3, 4, 5, 6]

const read = (form: FormData) => ({
  name: textOf(form, 'name') ?? '',
  avatar: textOf(form, 'avatar'),
  phone: textOf(form, 'phone') ?? '',
  email: textOf(form, 'email'),
  teams: idsOf(form, 'teams'),
  newTeam: textOf(form, 'newTeam'),
  driverTransportationId: Number(form.get('transport')) || null,
  ...readHours(form),
  lunchBreakStart: textOf(form, 'lunchBreakStart'),
  lunchBreakEnd: textOf(form, 'lunchBreakEnd'),
  lunchBreakDuration: form.get('lunchBreakDuration') ? Number(form.get('lunchBreakDuration')) : null,
})

/** Creates a driver, or changes one. */
export function DriverForm({ driver, onClose }: { driver?: Driver; onClose: () => void }) {
  const say = useSay()
  const { data: teams = [], isSuccess: areTeamsKnown } = useTeams()
  const makeTeam = useNewTeam()
  const save = useSave(
    async ({ newTeam, ...given }: ReturnType<typeof read>) => {
      const body = newTeam ? { ...given, teams: [...given.teams, await makeTeam(newTeam)] } : given
      if (driver) await api.updateDriver({ params: { driverId: driver.id }, body })
      else await api.createDriver({ body })
    },
    { changes: ['drivers', 'teams'], told: say('driverSaved'), onDone: onClose, inForm: true },
  )
  const wrong = (field: string) => fieldProblem(save.error, field, say)
  const timeField = (name: 'startShiftTime' | 'endShiftTime' | 'lunchBreakStart' | 'lunchBreakEnd', word: Word) => (
    <TextField label={say(word)} type="time" name={name} defaultValue={driver?.[name] ?? ''} error={wrong(name)} />
  )
  return (
    <Dialog title={say(driver ? 'editDriver' : 'newDriver')} open onClose={onClose} side>
      <Form
        busy={save.isPending}
        problem={otherProblem(save.error, fields, say)}
        onCancel={onClose}
        onSubmit={(form) => save.mutate(read(form))}
      >
        <TextField
          label={say('name')}
          name="name"
          defaultValue={driver?.name}
          required
          maxLength={longest.name}
          error={wrong('name')}
        />
        <PictureField label={say('avatar')} name="avatar" path={driver?.avatar ?? ''} error={wrong('avatar')} round />
        <TextField
          label={say('phone')}
          name="phone"
          type="tel"
          defaultValue={driver?.phone}
          required
          error={wrong('phone')}
        />
        <TextField
          label={say('email')}
          name="email"
          type="email"
          defaultValue={driver?.email ?? ''}
          error={wrong('email')}
        />
        <SelectField label={say('transport')} name="transport" defaultValue={driver?.driverTransportationId ?? ''}>
          <option value="">{say('none')}</option>
          {transports.map((id) => (
            <option key={id} value={id}>
              {say.known(`transport${id}`)}
            </option>
          ))}
        </SelectField>
        {areTeamsKnown && teams.length === 0 ? (
          <Later>
            <NewTeam error={wrong('teams')} />
          </Later>
        ) : (
          <fieldset className="grid gap-1.5">
            <legend className="mb-1 font-medium text-ink-soft">{say('teams')}</legend>
            {teams.map(({ id, name }) => (
              <Checkbox
                key={id}
                label={name}
                name="teams"
                value={id}
                defaultChecked={driver ? driver.driverTeams.some((team) => team.id === id) : teams.length === 1}
              />
            ))}
            <p className={wrong('teams') ? 'text-bad' : 'text-ink-faint'}>{wrong('teams') ?? say('chooseOne')}</p>
          </fieldset>
        )}
        <WeekdayShifts driver={driver} wrong={wrong}>
          {timeField('startShiftTime', 'shiftStart')}
          {timeField('endShiftTime', 'shiftEnd')}
        </WeekdayShifts>
        <div className="grid grid-cols-2 gap-3">
          {timeField('lunchBreakStart', 'lunchStart')}
          {timeField('lunchBreakEnd', 'lunchEnd')}
          <TextField
            label={say('lunchMinutes')}
            name="lunchBreakDuration"
            type="number"
            min={0}
            max={mostLunchMinutes}
            defaultValue={driver?.lunchBreakDuration ?? ''}
            error={wrong('lunchBreakDuration')}
          />
        </div>
      </Form>
    </Dialog>
  )
}

function NewTeam({ error }: { error: string | undefined }) {
  const say = useLaterSay('firstSteps')
  return (
    <TextField
      label={say('newTeam')}
      hint={say('newTeamHint')}
      name="newTeam"
      defaultValue={say('firstTeamName')}
      required
      maxLength={longest.name}
      error={error}
    />
  )
}

/** A driver needs a team. One that was made stays made if the driver is refused, so it is made only once. */
function useNewTeam() {
  const made = useRef<{ name: string; id: number }>(null)
  return async (name: string) => {
    if (made.current?.name !== name) made.current = { name, id: (await api.createTeam({ body: { name } })).team.id }
    return made.current.id
  }
}
