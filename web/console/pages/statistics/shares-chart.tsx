import type { TaskFigures } from '../../../../contract/report.ts'
import { useSay, type Word } from '../record-words.ts'

interface Row extends TaskFigures {
  key: string
}

const lines = [
  {
    word: 'onTimeShare',
    share: ({ onTimeShare }: Row) => onTimeShare,
    look: 'stroke-good fill-good',
    dashes: undefined,
  },
  {
    word: 'firstTryShare',
    share: ({ firstTryShare }: Row) => firstTryShare,
    look: 'stroke-ink fill-ink',
    dashes: '6 4',
  },
] as const satisfies { word: Word; share: (row: Row) => number | null; look: string; dashes: string | undefined }[]

const [width, height, edge] = [600, 120, 6]

/** How the shares went, day by day or month by month. The table below has the same numbers. */
export function SharesChart({ rows }: { rows: Row[] }) {
  const say = useSay()
  const x = (index: number) => edge + ((width - 2 * edge) * index) / Math.max(1, rows.length - 1)
  const y = (share: number) => edge + (height - 2 * edge) * (1 - share)
  return (
    <figure className="px-4 pt-3">
      <ul aria-hidden className="flex flex-wrap gap-4 pb-1 text-ink-soft text-xs">
        {lines.map(({ word, look, dashes }) => (
          <li key={word} className="flex items-center gap-1.5">
            <svg width="24" height="6" className={look} aria-hidden>
              <line x1="0" x2="24" y1="3" y2="3" strokeWidth="3" strokeDasharray={dashes} />
            </svg>
            {say(word)}
          </li>
        ))}
      </ul>
      <div className="flex gap-2">
        <div aria-hidden className="numbers flex flex-col justify-between text-right text-ink-faint text-xs">
          <span>100%</span>
          <span>0%</span>
        </div>
        <svg
          role="img"
          aria-label={say('sharesPicture')}
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          className="h-32 min-w-0 flex-1 border-line border-y"
        >
          {lines.map(({ word, share, look, dashes }) => (
            <g key={word} className={look} strokeWidth="2">
              <path
                d={pathOf(rows.map(share), x, y)}
                fill="none"
                strokeDasharray={dashes}
                vectorEffect="non-scaling-stroke"
              />
              {rows.map((row, index) => {
                const value = share(row)
                return value === null ? null : <circle key={row.key} cx={x(index)} cy={y(value)} r="2" />
              })}
            </g>
          ))}
        </svg>
      </div>
    </figure>
  )
}

/** Days without anything to judge are a gap. */
function pathOf(shares: (number | null)[], x: (index: number) => number, y: (share: number) => number): string {
  let isDrawing = false
  return shares
    .flatMap((share, index) => {
      const verb = isDrawing ? 'L' : 'M'
      isDrawing = share !== null
      return share === null ? [] : [`${verb}${x(index).toFixed(1)} ${y(share).toFixed(1)}`]
    })
    .join('')
}
