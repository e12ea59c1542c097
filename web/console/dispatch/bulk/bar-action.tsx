import type { ComponentProps } from 'react'
import { Button } from '../../../ui/button.tsx'

/** If there is little space next to the lists and the panel, the labels are hidden first. */
export const wordLook = '@max-5xl:sr-only'

interface Props extends ComponentProps<typeof Button> {
  label: string
  danger?: boolean
}

/** A button of the selection bar. */
export const BarAction = ({ label, danger, children, ...rest }: Props) => (
  <Button look="quiet" title={label} className={danger ? '!text-bad' : ''} {...rest}>
    {children}
    <span className={wordLook}>{label}</span>
  </Button>
)
