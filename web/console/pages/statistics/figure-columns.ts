import type { DrivenFigures, TaskFigures } from '../../../../contract/report.ts'
import { shareOnTime } from '../../../../core/punctuality.ts'
import { shareOf } from '../../../../core/share.ts'
import type { Formats } from '../../../api/time.ts'
import type { Word } from '../record-words.ts'
import type { Column } from './group-card.tsx'

export const openOf = ({ unassigned, assigned, inTransit }: TaskFigures) => unassigned + assigned + inTransit
export const onTimeOf = ({ windows, windowsMet }: TaskFigures) => shareOnTime({ judged: windows, onTime: windowsMet })
export const firstTryOf = ({ firstTries, firstTriesSucceeded }: TaskFigures) => shareOf(firstTriesSucceeded, firstTries)

const ended = ({ number }: Formats): Column<TaskFigures>[] => [
  { word: 'status9', value: ({ succeeded }) => succeeded, show: ({ succeeded }) => number(succeeded) },
  {
    word: 'status10',
    value: ({ failed }) => failed,
    show: ({ failed }) => number(failed),
    isBad: ({ failed }) => failed > 0,
  },
  { word: 'openTasks', value: openOf, show: (row) => number(openOf(row)) },
  { word: 'onTimeShare', value: ({ onTimeShare }) => onTimeShare, show: onTimeOf },
  { word: 'firstTryShare', value: ({ firstTryShare }) => firstTryShare, show: firstTryOf },
]

const planned = ({ distance }: Formats): Column<TaskFigures> => ({
  word: 'distancePlanned',
  value: ({ distanceMetres }) => distanceMetres / 1000,
  show: ({ distanceMetres }) => (distanceMetres > 0 ? distance(distanceMetres) : '–'),
})

type Money = 'collected' | 'unpaid' | (typeof takenParts)[number][0]

/** What drivers took at the doors. */
export const takenParts = [
  ['cash', 'takenInCash'],
  ['card', 'takenByCard'],
  ['other', 'takenOtherwise'],
] as const

/** The parts of it that a report has; most never take money in another way. */
export const takenIn = (report: TaskFigures) => takenParts.filter(([part]) => part !== 'other' || report.other !== 0)

const money = ({ money }: Formats, report: TaskFigures): Column<TaskFigures>[] => {
  const column = (name: Money, word: Word): Column<TaskFigures> => ({
    word,
    value: (row) => row[name],
    show: (row) => money(row[name]),
  })
  return [
    column('collected', 'collected'),
    ...takenIn(report).map(([part, word]) => column(part, word)),
    column('unpaid', 'doneUnpaid'),
  ]
}

/** What is counted of any group of tasks. */
export const taskColumns = (formats: Formats, report: TaskFigures): Column<TaskFigures>[] => [
  ...ended(formats),
  ...money(formats, report),
]

/** And of a driver. */
export const driverColumns = (formats: Formats, report: TaskFigures): Column<TaskFigures & DrivenFigures>[] => [
  ...ended(formats),
  {
    word: 'minutesPerStop',
    value: ({ minutesPerStop }) => minutesPerStop,
    show: ({ minutesPerStop }) => (minutesPerStop === null ? '–' : formats.decimal(minutesPerStop)),
  },
  planned(formats),
  {
    word: 'distanceDriven',
    value: ({ drivenMetres }) => drivenMetres && drivenMetres / 1000,
    show: ({ drivenMetres }) => (drivenMetres === null ? '–' : formats.distance(drivenMetres)),
  },
  ...money(formats, report),
]
