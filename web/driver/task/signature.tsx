import { Eraser } from 'lucide-react'
import { type PointerEvent, useRef, useState } from 'react'
import { useSay } from '../../words/driver.ts'
import { padRatio, type Stroke } from '../camera/picture.ts'

interface Props {
  strokes: readonly Stroke[]
  onChange: (strokes: Stroke[]) => void
}

const pathOf = ([first, ...rest]: Stroke) =>
  first
    ? `M${first.join(' ')} ${(rest.length > 0 ? rest : [first]).map((point) => `L${point.join(' ')}`).join(' ')}`
    : ''

/** Where the customer signs with a finger. A line is kept when the finger leaves the glass. */
export function SignaturePad({ strokes, onChange }: Props) {
  const say = useSay()
  const pad = useRef<SVGSVGElement>(null)
  const [current, setCurrent] = useState<Stroke>([])
  const pointOf = ({ clientX, clientY }: PointerEvent): [number, number] => {
    const { left, top, width } = (pad.current as SVGSVGElement).getBoundingClientRect()
    const round = (part: number) => Math.round(part * 1_000) / 1_000
    return [round((clientX - left) / width), round((clientY - top) / width)]
  }
  const begin = (event: PointerEvent) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    setCurrent([pointOf(event)])
  }
  const draw = (event: PointerEvent) => {
    if (current.length > 0) setCurrent([...current, pointOf(event)])
  }
  const end = () => {
    if (current.length > 0) onChange([...strokes, current])
    setCurrent([])
  }
  return (
    <div className="relative overflow-hidden rounded-xl border border-line-strong bg-surface">
      <svg
        ref={pad}
        role="img"
        aria-label={say(strokes.length > 0 ? 'signedHere' : 'signHere')}
        viewBox={`0 0 1 ${padRatio}`}
        className="block w-full touch-none"
        onPointerDown={begin}
        onPointerMove={draw}
        onPointerUp={end}
        onPointerCancel={end}
      >
        <path
          d={`M.06 ${padRatio * 0.8} H.94`}
          className="stroke-line-strong"
          strokeWidth=".003"
          strokeDasharray=".01"
        />
        <path
          d={[...strokes, current].map(pathOf).join(' ')}
          fill="none"
          className="stroke-ink"
          strokeWidth=".007"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      {strokes.length > 0 && (
        <button
          type="button"
          onClick={() => onChange([])}
          className="absolute top-0 right-0 inline-flex min-h-12 items-center gap-1.5 px-3 font-semibold"
        >
          <Eraser aria-hidden className="size-5" />
          {say('clearSignature')}
        </button>
      )}
    </div>
  )
}
