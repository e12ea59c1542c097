import { type TableColumn, writeColumns } from '../../../../core/table-columns.ts'
import { api } from '../../../api/client.ts'
import { useMay } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/field.tsx'
import { useSave } from '../../../ui/save.ts'
import { useLaterSay } from '../../../words/later.ts'
import { columns } from './columns.tsx'
import { shownIn } from './layout.ts'
import type { Arrangement } from './use-layout.ts'

/** One's own columns, the way back to those everybody begins with, and, for admins, what everybody begins with. */
export function ColumnChoices({ layout, arrange, reset, isChosen, isOwn }: Arrangement) {
  const say = useLaterSay('days')
  const may = useMay()
  const save = useSave(
    (chosen: TableColumn[]) =>
      api.updateCompany({ body: { settings: { customizeColumnDefines: writeColumns(chosen) } } }),
    { changes: ['company'], told: say('columnsOfEverybody') },
  )
  const shown = shownIn(layout) as TableColumn[]
  const show = (id: string, visible: boolean) =>
    arrange((before) => ({ ...before, visibility: { ...before.visibility, [id]: visible } }))
  return (
    <>
      {columns.map(({ id, word }) => (
        <Checkbox
          key={id}
          label={say(word)}
          checked={layout.visibility[id] ?? false}
          onChange={(event) => show(id, event.target.checked)}
        />
      ))}
      <Button className="mt-1" onClick={reset}>
        {say(isChosen ? 'organisationColumns' : 'usualColumns')}
      </Button>
      {may('company:write') && (
        <Button
          title={say('columnsForEverybodyHint')}
          disabled={!isOwn || shown.length === 0}
          busy={save.isPending}
          onClick={() => save.mutate(shown)}
        >
          {say('columnsForEverybody')}
        </Button>
      )}
    </>
  )
}
