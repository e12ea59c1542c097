import { Columns3 } from 'lucide-react'
import { Popover } from 'radix-ui'
import { Button } from '../../../ui/button.tsx'
import { Later } from '../../../ui/later.tsx'
import { useSay } from '../../../words/console.ts'
import { ColumnChoices } from './column-choices.tsx'
import type { Arrangement } from './use-layout.ts'

export function ColumnChooser(arrangement: Arrangement) {
  const say = useSay()
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
          collisionPadding={8}
          aria-label={say('columns')}
          className="z-50 grid max-h-(--radix-popover-content-available-height) w-60 gap-1.5 overflow-y-auto rounded-lg border border-line bg-raised p-3 shadow-raised"
        >
          <Later>
            <ColumnChoices {...arrangement} />
          </Later>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
