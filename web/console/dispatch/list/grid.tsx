import type { ComponentProps } from 'react'
import { join } from '../../../ui/class-names.ts'

/**
 * What a virtualised list is to those who hear it. Only a part of the rows is there at a time, placed by hand, so they
 * cannot be those of a table element. The grid has the focus and names the row its cursor is on, so rows need none, and
 * the keys of the whole screen (`keyboard/`) do what clicks on rows do.
 */
const roles = {
  grid: { role: 'grid', tabIndex: 0, 'aria-multiselectable': true },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  cell: { role: 'gridcell' },
  head: { role: 'columnheader' },
} as const

type Props = ComponentProps<'div'>

/** Shows the focus on a frame over the rows, which would cover an outline of the grid itself. */
const frame =
  'relative flex min-h-0 grow flex-col after:pointer-events-none after:absolute after:inset-0 after:z-20 ' +
  'after:-outline-offset-2 after:outline-accent has-[>:focus-visible]:after:outline-2'

export const Grid = ({ className, ...rest }: Props) => (
  <div className={frame}>
    <div {...roles.grid} {...rest} className={join('min-h-0 grow outline-none', className)} />
  </div>
)
export const GridGroup = (props: Props) => <div {...roles.group} {...props} />
/** Of a fixed size without overflow, so the layout of one row does not affect the others. */
export const GridRow = ({ className, ...rest }: Props) => (
  <div {...roles.row} {...rest} className={join('contain-content', className)} />
)
export const GridCell = (props: Props) => <div {...roles.cell} {...props} />
export const GridHead = (props: Props) => <div {...roles.head} {...props} />
