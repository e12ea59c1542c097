import type { ErrorDetail } from '../../contract/errors.ts'
import { amountOf, hasTooManyDecimals, hundredthsOf } from '../../core/money.ts'
import { settingsOf } from '../../core/settings.ts'
import { raw, sql } from '../db/sql.ts'
import type { Organisation } from '../organisations/queries.ts'
import type { PaymentRow, TaskRow } from './tables.ts'

/*
 * Amounts are kept as whole units and hundredths, in two columns of the same sign (docs/decisions/0046). They are put
 * together and taken apart here only.
 */

const join = (whole: number, hundredths: number): number => amountOf(whole * 100 + hundredths)
const joinOrNull = (whole: number | null, hundredths: number) => (whole === null ? null : join(whole, hundredths))
const split = (amount: number): [whole: number, hundredths: number] => {
  const whole = Math.trunc(amount)
  return [whole, hundredthsOf(amount) - whole * 100]
}

type Prices = 'total_price' | 'left_to_be_paid' | 'delivery_price'
type Columns<Name extends Prices> = Pick<TaskRow, Name | `${Name}_hundredths`>

export const totalPriceOf = (task: Columns<'total_price'>) => joinOrNull(task.total_price, task.total_price_hundredths)
export const leftToBePaidOf = (task: Columns<'left_to_be_paid'>) =>
  joinOrNull(task.left_to_be_paid, task.left_to_be_paid_hundredths)
export const deliveryPriceOf = (task: Columns<'delivery_price'>) =>
  joinOrNull(task.delivery_price, task.delivery_price_hundredths)

/** An amount of a task as its columns. */
export function priceColumns<Name extends Prices>(name: Name, amount: number | null): Columns<Name> {
  const [whole, hundredths] = amount === null ? [null, 0] : split(amount)
  return { [name]: whole, [`${name}_hundredths`]: hundredths } as Columns<Name>
}

type Line = Pick<PaymentRow, 'amount' | 'amount_hundredths'>

export const amountOfLine = ({ amount, amount_hundredths }: Line) => join(amount, amount_hundredths)
export function lineColumns(given: number): Line {
  const [amount, amount_hundredths] = split(given)
  return { amount, amount_hundredths }
}

/** Of tasks `t`, in hundredths: the price, and what is left of it; null as they are. */
export const priceHundredths = raw('(t.total_price::bigint * 100 + t.total_price_hundredths)')
export const leftHundredths = raw('(t.left_to_be_paid::bigint * 100 + t.left_to_be_paid_hundredths)')

/**
 * Of that, what the next try collects instead (`moneyOf` of core/money; the case is in cash.test.ts). A subquery that is no join and no
 * `exists`: only those that are tried again are looked up, each by its key, however many tasks there are.
 */
export const leftToNextTry = raw(`(case when t.reattempted_as is not null and (
    select n.deleted_at is null from tasks n where n.organisation_id = t.organisation_id and n.id = t.reattempted_as)
  then t.left_to_be_paid::bigint * 100 + t.left_to_be_paid_hundredths else 0 end)`)

/** In hundredths: what the lines of a group come to. */
export const sumOfLines = sql`sum(amount::bigint * 100 + amount_hundredths)::bigint`

/** Why an amount has decimals where the organisation uses none, if it has. */
export const decimalsOff = (field: string): ErrorDetail => ({
  field,
  code: 'VALIDATION_FAILED',
  message: `${field} must be a whole number; to use amounts with decimals, set moneyDecimals to 2 in the settings (PUT /api/v1/company)`,
  rule: 'decimals',
  limit: 0,
})

/** Finds prices with decimals where the organisation uses none. Those that were there before may stay. */
export function checkPrices(
  given: { totalPrice?: number | null; deliveryPrice?: number | null },
  organisation: Organisation,
  problems: ErrorDetail[],
  before: { totalPrice?: number | null; deliveryPrice?: number | null } = {},
) {
  const { moneyDecimals } = settingsOf(organisation)
  for (const field of ['totalPrice', 'deliveryPrice'] as const) {
    const amount = given[field] ?? 0
    if (hasTooManyDecimals(amount, moneyDecimals) && amount !== before[field]) problems.push(decimalsOff(field))
  }
}
