import sharp from 'sharp'
import { between, chanceOf, pick, type Random } from './chance.ts'

/* What the drivers photograph and what customers sign, drawn once and used by many. */

export const subjects = ['parcel', 'door', 'signature'] as const
export type Subject = (typeof subjects)[number]

const looks = 6
const drawn = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()

/** One of a few pictures, the same for the same seed and number. */
export function drawPicture(seed: number, subject: Subject, number: number): Promise<Uint8Array<ArrayBuffer>> {
  const name = `${subject} ${number % looks}`
  return drawn.getOrInsertComputed(`${seed} ${name}`, async () => {
    const image = sharp(Buffer.from(sketch(subject, chanceOf(seed, `picture ${name}`))))
    return new Uint8Array(await (subject === 'signature' ? image.png() : image.jpeg({ quality: 70 })).toBuffer())
  })
}

/** An SVG, without any text: there may be no fonts. */
export function sketch(subject: Subject, random: Random): string {
  const shapes = { parcel: () => doorway(random) + parcel(random), door: () => doorway(random), signature }[subject]
  const [width, height] = subject === 'signature' ? [320, 120] : [360, 270]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes(random)}</svg>`
}

function doorway(random: Random): string {
  const wall = pick(random, ['#d9cbb3', '#c7ccc4', '#b9b1a6', '#e0d6c8'])
  const door = pick(random, ['#6b3f24', '#2f4a5c', '#3d5a40', '#7a2e2b'])
  const left = between(random, 110, 150)
  const knob = between(random, 0, 1) === 0 ? left + 14 : left + 106
  return `<rect width="360" height="270" fill="${wall}"/><rect y="225" width="360" height="45" fill="#8a8378"/>
    <rect x="${left - 8}" y="12" width="136" height="216" fill="#efe9dd"/>
    <rect x="${left}" y="20" width="120" height="206" fill="${door}"/>
    <path d="M${left + 18} 36h84v66h-84zM${left + 18} 122h84v84h-84z" fill="none" stroke="#0003" stroke-width="4"/>
    <circle cx="${knob}" cy="128" r="5" fill="#d8b354"/><rect x="${left - 4}" y="228" width="128" height="14" fill="#4d4640"/>`
}

function parcel(random: Random): string {
  const [x, width, height] = [between(random, 60, 220), between(random, 70, 110), between(random, 45, 75)]
  const card = pick(random, ['#b98a55', '#c79a63', '#a97c4a'])
  const y = 250 - height
  return `<ellipse cx="${x + width / 2}" cy="252" rx="${width * 0.6}" ry="7" fill="#0004"/>
    <rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${card}"/>
    <path d="M${x} ${y}l14-16h${width}l-14 16z" fill="#d8b07c"/><path d="M${x + width} ${y}l14-16v${height}l-14 16z" fill="#8d6538"/>
    <rect x="${x + width / 2 - 6}" y="${y}" width="12" height="${height}" fill="#e7d3ac"/>
    <rect x="${x + 8}" y="${y + 10}" width="${width / 3}" height="${height / 3}" fill="#fff"/>`
}

/** Loops from left to right and a line below, as people write when they hold a phone. */
function signature(random: Random): string {
  let path = `M24 ${between(random, 60, 80)}`
  for (let x = 24; x < 260; x += 22) {
    const [rise, fall] = [between(random, 12, 58), between(random, 62, 100)]
    path += `C${x + 4} ${rise} ${x + 26} ${rise} ${x + 12} ${fall}S${x + 16} 70 ${x + 22} ${between(random, 58, 78)}`
  }
  path += `q30 ${between(random, -30, 10)} 40 4M40 ${between(random, 98, 108)}q120 -14 230 -2`
  return `<rect width="320" height="120" fill="#fff"/><path d="${path}" fill="none" stroke="#1b2a4a" stroke-width="3" stroke-linecap="round"/>`
}
