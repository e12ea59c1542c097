import { longest } from '../../../../contract/limits.ts'
import { api } from '../../../api/client.ts'
import { type Team, useDrivers, useHubs } from '../../../api/data.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Checkbox, SelectField, TextField } from '../../../ui/field.tsx'
import { Form, idsOf, textOf } from '../../../ui/form.tsx'
import { fieldProblem, otherProblem, useSave } from '../../../ui/save.ts'
import { useSay } from '../record-words.ts'

const read = (form: FormData) => ({
  name: textOf(form, 'name') ?? '',
  hubId: Number(form.get('hubId')) || null,
  drivers: idsOf(form, 'drivers'),
})

export function TeamForm({ team, onClose }: { team?: Team; onClose: () => void }) {
  const say = useSay()
  const { data: drivers = [] } = useDrivers()
  const { data: hubs = [] } = useHubs()
  const save = useSave(
    async (body: ReturnType<typeof read>) => {
      if (team) await api.updateTeam({ params: { teamId: team.id }, body })
      else await api.createTeam({ body })
    },
    { changes: ['teams', 'drivers'], told: say('teamSaved'), onDone: onClose, inForm: true },
  )
  return (
    <Dialog title={say(team ? 'editTeam' : 'newTeam')} open onClose={onClose} side>
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
        {/* Options that arrive later are not chosen by themselves, so the field begins again with them. */}
        <SelectField
          key={hubs.length}
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
    </Dialog>
  )
}
