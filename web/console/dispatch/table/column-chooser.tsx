import { Columns3 } from 'lucide-react'
import { Popover } from 'radix-ui'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/field.tsx'
import { useSay } from '../../../words/console.ts'
import { columns } from './columns.tsx'
import type { Layout } from './layout.ts'

interface Props {
  layout: Layout
  arrange: (change: (before: Layout) => Layout) => void
  reset: () => void
}

export function ColumnChooser({ layout, arrange, reset }: Props) {
  const say = useSay()
  const show = (id: string, visible: boolean) =>
    arrange((before) => ({ ...before, visibility: { ...before.visibility, [id]: visible } }))
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <Button title={say('columns')}>
          <Columns3 aria-hidden />
          <span className="max-2xl:sr-only">{say('columns')}</span>
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={4}
          aria-label={say('columns')}
          className="z-50 grid w-52 gap-1.5 rounded-lg border border-line bg-raised p-3 shadow-raised"
        >
          {columns.map(({ id, word }) => (
            <Checkbox
              key={id}
              label={say(word)}
              checked={layout.visibility[id] ?? false}
              onChange={(event) => show(id, event.target.checked)}
            />
          ))}
          <Button className="mt-1" onClick={reset}>
            {say('usualColumns')}
          </Button>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
