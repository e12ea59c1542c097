import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { join } from './class-names.ts'

/** A menu that opens below a button. */
export function Menu({
  trigger,
  children,
  align = 'end',
}: {
  trigger: ReactNode
  children: ReactNode
  align?: 'start' | 'end'
}) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={4}
          className="z-50 max-h-[min(70vh,var(--radix-popper-available-height))] min-w-44 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-raised"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

const itemLook =
  'flex w-full cursor-pointer items-center gap-2 rounded-md px-2 py-1.5 outline-none data-highlighted:bg-hover ' +
  'data-disabled:opacity-50 [&_svg]:size-4'

interface ItemProps {
  children: ReactNode
  onSelect: () => void
  danger?: boolean
  disabled?: boolean
}

export function MenuItem({ children, onSelect, danger, disabled }: ItemProps) {
  return (
    <DropdownMenu.Item
      className={join(itemLook, danger && 'text-bad')}
      onSelect={onSelect}
      {...(disabled && { disabled })}
    >
      {children}
    </DropdownMenu.Item>
  )
}

export function MenuChoice({ children, onSelect, chosen }: ItemProps & { chosen: boolean }) {
  return (
    <DropdownMenu.CheckboxItem
      checked={chosen}
      className={join(itemLook, chosen && 'font-semibold')}
      onSelect={onSelect}
    >
      {children}
    </DropdownMenu.CheckboxItem>
  )
}

export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <DropdownMenu.Label className="px-2 pt-1.5 pb-0.5 text-ink-faint text-xs">{children}</DropdownMenu.Label>
)
export const MenuLine = () => <DropdownMenu.Separator className="my-1 h-px bg-line" />
