import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Comparison, median } from './measure.ts'
import { comparisonOf, growthOf, type Memory, memoryOf, thousands } from './results.ts'

/* `npm run bench -- charts`: the charts of docs/performance.md, drawn from the saved results. */

const folder = join(import.meta.dirname, '../docs/performance')

const width = 720
const left = 230
const right = 150
const row = 26

/** Readable on light and on dark pages: the image follows the colour scheme. */
const style = `<style>
text { font: 13px system-ui, sans-serif; fill: #24292f }
.title { font-weight: 600; font-size: 14px }
.faint { fill: #57606a }
.bar { fill: #8c959f } .ours { fill: #0b5fff } .line { stroke: #0b5fff; fill: none; stroke-width: 2 }
.rule { stroke: #57606a; stroke-dasharray: 4 3 } .spread { stroke: #24292f; stroke-width: 1.5 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } .faint { fill: #9198a1 } .bar { fill: #6e7681 } .ours { fill: #6ea8ff }
  .line { stroke: #6ea8ff } .rule { stroke: #9198a1 } .spread { stroke: #e6edf3 }
}
</style>`

const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const n = (value: number) => value.toFixed(1).replace(/\.0$/, '')

const text = (x: number, y: number, content: string, attributes = '') =>
  `<text x="${n(x)}" y="${n(y)}" ${attributes}>${escapeText(content)}</text>`

const picture = (title: string, height: number, parts: string[]) =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeText(title)}">`,
    style,
    text(0, 16, title, 'class="title"'),
    ...parts,
    '</svg>',
    '',
  ].join('\n')

interface Bar {
  name: string
  values: number[]
  label: string
  isOurs: boolean
}

/** One bar per row, as long as the median, with a line from the lowest to the highest value. */
function drawBars(title: string, bars: Bar[], rule?: number): string {
  const most = Math.max(...bars.flatMap(({ values }) => values), rule ?? 0)
  const x = (value: number) => left + ((width - left - right) * value) / most
  const parts = bars.flatMap(({ name, values, label, isOurs }, index) => {
    const y = 32 + index * row
    const [lowest, highest] = [Math.min(...values), Math.max(...values)]
    return [
      text(left - 8, y + 14, name, 'text-anchor="end"'),
      `<rect x="${left}" y="${y + 2}" width="${n(x(median(values)) - left)}" height="${row - 8}" class="${isOurs ? 'ours' : 'bar'}"/>`,
      `<line x1="${n(x(lowest))}" x2="${n(x(highest))}" y1="${y + row / 2 - 2}" y2="${y + row / 2 - 2}" class="spread"/>`,
      text(width - right + 10, y + 14, label, 'class="faint"'),
    ]
  })
  const bottom = 32 + bars.length * row
  if (rule !== undefined)
    parts.push(
      `<line x1="${n(x(rule))}" x2="${n(x(rule))}" y1="28" y2="${bottom}" class="rule"/>`,
      text(x(rule) + 4, bottom + 12, `${rule} ×`, 'class="faint"'),
    )
  return picture(title, bottom + 20, parts)
}

const drawComparison = ({ title, unit, reference, values }: Comparison) =>
  drawBars(
    `${title} (${unit})`,
    Object.entries(values).map(([name, measured]) => ({
      name,
      values: measured,
      label: thousands(median(measured)),
      isOurs: name !== reference && name !== 'pgbench' && !name.startsWith('without'),
    })),
  )

/** Beside what a team would write: the slowest first. */
const drawPeers = ({ title, unit, values }: Comparison) =>
  drawBars(
    `${title} (${unit})`,
    ['typical', 'lean', 'waybill'].map((name) => {
      const rate = median(values[name]!)
      const label = rate < 10 ? rate.toFixed(2) : thousands(rate)
      return { name, values: values[name]!, label, isOurs: name === 'waybill' }
    }),
  )

const drawGrowth = (grown: NonNullable<ReturnType<typeof growthOf>>) =>
  drawBars(
    'Cost with a million tasks, against ten thousand',
    grown.map(({ title, cost }) => ({
      name: title,
      values: [cost.lowest, cost.value, cost.highest],
      label: `${cost.value.toFixed(2)} ×`,
      isOurs: true,
    })),
    1.2,
  )

function drawMemory({ title, samples }: Memory): string {
  const [height, top] = [220, 32]
  const mostDone = samples.at(-1)!.done
  const mostMegabytes = Math.max(210, ...samples.map(({ megabytes }) => megabytes * 1.05))
  const x = (done: number) => 50 + ((width - 70) * done) / mostDone
  const y = (megabytes: number) => height - 24 - ((height - 24 - top) * megabytes) / mostMegabytes
  const points = samples.map(({ done, megabytes }) => `${n(x(done))},${n(y(megabytes))}`).join(' ')
  return picture(`${title}: resident megabytes`, height, [
    `<line x1="50" x2="${width - 20}" y1="${n(y(200))}" y2="${n(y(200))}" class="rule"/>`,
    text(44, y(200) + 4, '200', 'text-anchor="end" class="faint"'),
    text(44, y(0) + 4, '0', 'text-anchor="end" class="faint"'),
    `<polyline points="${points}" class="line"/>`,
    text(width - 20, height - 6, `${thousands(mostDone)} done`, 'text-anchor="end" class="faint"'),
  ])
}

/** Every chart for which there are results, by file name. */
export function drawCharts(): Record<string, string> {
  const pictures: Record<string, string> = {}
  for (const part of ['create', 'webhook', 'bulk', 'page', 'awb', 'processes', 'overload']) {
    const compared = comparisonOf('api', part)
    if (compared) pictures[`${part}.svg`] = drawComparison(compared)
  }
  const deliveries = comparisonOf('webhooks', 'throughput') as Record<string, number[]> | undefined
  if (deliveries)
    pictures['webhooks.svg'] = drawComparison({
      title: 'Webhooks to one url',
      unit: 'deliveries/s',
      reference: 'bare undici',
      values: deliveries,
    })
  for (const part of ['create', 'awb', 'page', 'bulk']) {
    const compared = comparisonOf('peers', part)
    if (compared) pictures[`peers-${part}.svg`] = drawPeers(compared)
  }
  const dropping = comparisonOf('growth', 'dropping')
  if (dropping) pictures['growth-dropping.svg'] = drawComparison(dropping)
  const grown = growthOf()
  if (grown) pictures['growth.svg'] = drawGrowth(grown)
  for (const part of ['requests', 'streams', 'largest']) {
    const memory = memoryOf(part)
    if (memory) pictures[`memory-${part}.svg`] = drawMemory(memory)
  }
  return pictures
}

export async function run() {
  await mkdir(folder, { recursive: true })
  for (const [file, drawn] of Object.entries(drawCharts())) await writeFile(join(folder, file), drawn)
}
