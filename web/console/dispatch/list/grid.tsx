import type { ComponentProps } from 'react'
import { join } from '../../../ui/class-names.ts'

/**
 * The accessibility roles of a virtualised list. Only some rows exist at a time, positioned absolutely, so they cannot
 * be rows of a table element. The grid has the focus and names the row of its cursor, so rows need no focus, and the
 * keys of the screen (`keyboard/`) do what clicks on rows do.
 */
const roles = {
  grid: { role: 'grid', tabIndex: 0, 'aria-multiselectable': true },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  cell: { role: 'gridcell' },
  head: { role: 'columnheader' },
} as const

type Props = ComponentProps<'div'>

/** Shows the focus as a frame over the rows, because they would cover an outline of the grid. */
const frame =
  'relative flex min-h-0 grow flex-col after:pointer-events-none after:absolute after:inset-0 after:z-20 ' +
  'after:-outline-offset-2 after:outline-accent has-[>:focus-visible]:after:outline-2'

export const Grid = ({ className, ...rest }: Props) => (
  <div className={frame}>
    <div {...roles.grid} {...rest} className={join('min-h-0 grow outline-none', className)} />
  </div>
)
export const GridGroup = (props: Props) => <div {...roles.group} {...props} />
/** Fixed size without overflow, so that the layout of one row does not affect the others. */
export const GridRow = ({ className, ...rest }: Props) => (
  <div {...roles.row} {...rest} className={join('contain-content', className)} />
)
export const GridCell = (props: Props) => <div {...roles.cell} {...props} />
export const GridHead = (props: Props) => <div {...roles.head} {...props} />
