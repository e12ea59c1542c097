import { useQuery } from '@tanstack/react-query'
import type { Answer } from '../../../../contract/operations.ts'
import { differenceOf } from '../../../../core/cash.ts'
import { sumAmounts } from '../../../../core/money.ts'
import type { AppTexts } from '../../../../core/words/apps.ts'
import type { Say as SayOf } from '../../../../core/words/say.ts'
import { api } from '../../../api/client.ts'
import { keysOf } from '../../../api/data.ts'
import type { Formats } from '../../../api/time.ts'
import type { Word as WordOfConsole } from '../../../words/console.ts'
import { useLaterSay } from '../../../words/later.ts'

export type CashDay = Answer<'listCash'>['days'][number]
export type CashLine = Answer<'listCashLines'>['lines'][number]
export type Word = WordOfConsole | keyof AppTexts['cash']
export type Say = SayOf<Word>

export const useCashSay = (): Say => useLaterSay('cash')

export interface Span {
  from: string
  to: string
  userId?: number
}

/** Everything, page by page. */
async function readAll<Item>(read: (cursor?: string) => Promise<{ items: Item[]; nextCursor?: string | undefined }>) {
  const all: Item[] = []
  for (let cursor: string | undefined; ; ) {
    const { items, nextCursor } = await read(cursor)
    all.push(...items)
    if (!nextCursor) return all
    cursor = nextCursor
  }
}

const paged = (span: Span, cursor: string | undefined) => ({ ...span, ...(cursor && { cursor }) })

export const readLines = (span: Span) =>
  readAll<CashLine>(async (cursor) => {
    const { lines, nextCursor } = await api.listCashLines({ query: paged(span, cursor) })
    return { items: lines, nextCursor }
  })

/** Payments come without a notice of their own, so an open page looks again now and then. */
const againMs = 30_000

export const useCashDays = (span: Span) =>
  useQuery({
    queryKey: [...keysOf.cash, span],
    queryFn: () =>
      readAll<CashDay>(async (cursor) => {
        const { days, nextCursor } = await api.listCash({ query: paged(span, cursor) })
        return { items: days, nextCursor }
      }),
    refetchInterval: againMs,
  })

export const useCashLines = (span: Span) =>
  useQuery({ queryKey: [...keysOf.cash, 'lines', span], queryFn: () => readLines(span) })

const summed = ['toCollect', 'unpaid', 'lost', 'cash', 'card', 'other', 'handedIn', 'toHandIn'] as const

/** All drivers together. What is different is summed of the days that are closed. */
export const totalOf = (days: readonly CashDay[]) => ({
  ...(Object.fromEntries(summed.map((field) => [field, sumAmounts(days.map((day) => day[field]))])) as Record<
    (typeof summed)[number],
    number
  >),
  difference: sumAmounts(days.map(({ difference }) => difference ?? 0)),
})

/** A difference in words: how much is missing, or too much. */
export function tellDifference(difference: number, say: Say, { money }: Pick<Formats, 'money'>): string {
  if (difference === 0) return say('cashExact')
  return say(difference < 0 ? 'cashMissing' : 'cashExcess', { amount: money(Math.abs(difference)) })
}

/** What closing a day with this comes to. */
export const differenceNow = (day: CashDay, counted: number) => differenceOf(day, counted)
