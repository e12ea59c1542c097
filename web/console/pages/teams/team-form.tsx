import { longest } from '../../../../contract/limits.ts'
import { api } from '../../../api/client.ts'
import { type Driver, type Hub, type Team, useDrivers, useHubs } from '../../../api/data.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Checkbox, SelectField, TextField } from '../../../ui/field.tsx'
import { Form, idsOf, textOf } from '../../../ui/form.tsx'
import { fieldProblem, otherProblem, useSave } from '../../../ui/save.ts'
import { Loaded } from '../../../ui/state.tsx'
import { useSay } from '../record-words.ts'

const read = (form: FormData) => ({
  name: textOf(form, 'name') ?? '',
  hubId: Number(form.get('hubId')) || null,
  drivers: idsOf(form, 'drivers'),
})

interface Props {
  team?: Team | undefined
  onClose: () => void
}

/** With all it offers, or not at all: what it could not show would be taken away by saving. */
export function TeamForm({ team, onClose }: Props) {
  const say = useSay()
  const [drivers, hubs] = [useDrivers(), useHubs()]
  return (
    <Dialog title={say(team ? 'editTeam' : 'newTeam')} open onClose={onClose} side>
      <Loaded query={drivers}>
        {(drivers) => (
          <Loaded query={hubs}>
            {(hubs) => <TeamFields team={team} drivers={drivers} hubs={hubs} onClose={onClose} />}
          </Loaded>
        )}
      </Loaded>
    </Dialog>
  )
}

const isSameSet = (one: readonly number[], other: readonly number[]) =>
  one.length === other.length && one.every((id) => other.includes(id))

function TeamFields({ team, drivers, hubs, onClose }: Props & { drivers: Driver[]; hubs: Hub[] }) {
  const say = useSay()
  const save = useSave(
    async (body: ReturnType<typeof read>) => {
      if (!team) return api.createTeam({ body })
      const before = team.drivers.map(({ id }) => id)
      // Somebody else may have changed who is in it meanwhile.
      const { drivers, ...others } = body
      const changed = isSameSet(drivers, before) ? others : body
      return api.updateTeam({ params: { teamId: team.id }, body: changed })
    },
    { changes: ['teams', 'drivers'], told: say('teamSaved'), onDone: onClose, inForm: true },
  )
  return (
    <Form
      busy={save.isPending}
      problem={otherProblem(save.error, ['name'], say)}
      onCancel={onClose}
      onSubmit={(form) => save.mutate(read(form))}
    >
      <TextField
        label={say('name')}
        name="name"
        defaultValue={team?.name}
        required
        maxLength={longest.name}
        error={fieldProblem(save.error, 'name', say)}
      />
      <SelectField
        label={say('hub')}
        name="hubId"
        defaultValue={(team ? team.hub?.id : hubs.length === 1 && hubs[0]?.id) || ''}
      >
        <option value="">{say('noHub')}</option>
        {hubs.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      {drivers.length > 0 && (
        <fieldset className="grid gap-1.5">
          <legend className="mb-1 font-medium text-ink-soft">{say('drivers')}</legend>
          {drivers.map(({ id, name }) => (
            <Checkbox
              key={id}
              label={name}
              name="drivers"
              value={id}
              defaultChecked={team?.drivers.some((driver) => driver.id === id)}
            />
          ))}
        </fieldset>
      )}
    </Form>
  )
}
