import { moneyFormat } from '../../core/money-format.ts'
import { remember } from '../../core/remember.ts'
import { type Language, languages } from '../../core/words/languages.ts'

/** How proofs write times, distances and money. */
export const formatsOf = remember((language: Language, timeZone: string, currency: string) => {
  const { locale } = languages[language]
  const dateTime = new Intl.DateTimeFormat(locale, {
    timeZone,
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
  })
  const metres = new Intl.NumberFormat(locale, { style: 'unit', unit: 'meter', maximumFractionDigits: 0 })
  const kilometres = new Intl.NumberFormat(locale, { style: 'unit', unit: 'kilometer', maximumFractionDigits: 1 })
  const money = moneyFormat(locale, currency)
  return {
    dateTime: (moment: Date | string) => dateTime.format(new Date(moment)),
    window: (from: Date, to: Date) => dateTime.formatRange(from, to),
    distance: (length: number) => (length < 950 ? metres.format(length) : kilometres.format(length / 1000)),
    money: (amount: number) => money.format(amount),
  }
})

export type Formats = ReturnType<typeof formatsOf>
