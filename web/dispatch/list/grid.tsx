import type { ComponentProps } from 'react'
import { join } from '../../ui/class-names.ts'

/**
 * What a virtualised list is to those who hear it. Only a part of the rows is there at a time, placed by hand, so they
 * cannot be those of a table element. The grid has the focus and names the row its cursor is on, so rows need none, and
 * the keys of the whole screen (`keyboard/`) do what clicks on rows do. Rows are drawn below the grid's own outline, which
 * else would end wherever a row has a background.
 */
const roles = {
  grid: { role: 'grid', tabIndex: 0, 'aria-multiselectable': true },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  cell: { role: 'gridcell' },
  head: { role: 'columnheader' },
} as const

type Props = ComponentProps<'div'>
export const Grid = ({ className, ...rest }: Props) => (
  <div {...roles.grid} {...rest} className={join('isolate -outline-offset-2', className)} />
)
export const GridGroup = (props: Props) => <div {...roles.group} {...props} />
/** Of a fixed size, and nothing of it reaches out: laying out one row need not look at the others. */
export const GridRow = ({ className, ...rest }: Props) => (
  <div {...roles.row} {...rest} className={join('contain-content', className)} />
)
export const GridCell = (props: Props) => <div {...roles.cell} {...props} />
export const GridHead = (props: Props) => <div {...roles.head} {...props} />
