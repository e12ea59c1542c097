import { createHash } from 'node:crypto'
import { fileIdIn, isFilePath } from '../../contract/file.ts'
import type { Language } from '../../core/words/languages.ts'
import { version } from '../config.ts'
import type { Service } from '../context.ts'
import { findFile } from '../files/queries.ts'
import type { Download } from '../http/answers/download.ts'
import type { Organisation } from '../organisations/queries.ts'
import type { Paper, RecordSheet } from '../threads/paper.ts'
import { formatsOf } from './formats.ts'
import { type Dots, printPicture, type Size } from './pictures.ts'
import type { ProofSheet } from './sheet.ts'
import { sayIn } from './words.ts'

/** The pictures of one task, together: what is mailed must stay below a megabyte. */
const bytesOfOne = 800_000
const bytesOfEach = 300_000
const mostPictures = 12
const logoSize = { longestSide: 500, mostBytes: 40_000 }

/**
 * Two pictures beside each other on A4 are 85 mm wide: 660 pixels are 200 to the inch, more than a printer shows of a
 * photo. There are few sizes, so that a small copy made for one paper fits the next.
 */
const sizes: Size[] = [
  { longestSide: 660, mostBytes: 200_000 },
  { longestSide: 660, mostBytes: 66_000 },
  { longestSide: 480, mostBytes: 25_000 },
]
const smallest = sizes.at(-1) as Size

/** One row of a list: a proof, or a task there is none of. */
export type Listed = ProofSheet | { awb: string; mark: { text: string } }

/** The proof of one task, or of a list with a summary on its first page. `asker` is who wants it: nobody gets all places. */
export function proofFile(
  service: Service,
  organisation: Organisation,
  language: Language,
  listed: Listed[],
  isList: boolean,
  asker: string,
): Download {
  const { id: organisationId, name: sender, logo, timezone } = organisation
  const content = JSON.stringify([version, sender, logo, timezone, language, isList, listed])
  const shown = createHash('sha256').update(content).digest('base64url')
  const [first] = listed
  const name = isList || !first ? 'proofs' : `proof-${first.awb.replace(/[^\w.-]+/g, '_')}`
  return {
    type: 'application/pdf',
    name: `${name}.pdf`,
    isSaved: true,
    etag: `"${shown}"`,
    read: (gone) =>
      service.papers.open(
        {
          name: shown,
          asker: { organisationId, name: asker },
          collect: () => collect(service, organisation, language, listed, isList),
        },
        gone,
      ),
  }
}

async function collect(
  service: Service,
  organisation: Organisation,
  language: Language,
  listed: Listed[],
  isList: boolean,
): Promise<Paper> {
  const say = sayIn(language)
  const { dateTime } = formatsOf(language, organisation.timezone, organisation.currency)
  const proofs = listed.filter((one): one is ProofSheet => 'facts' in one && one.isEnded)
  const sheets: Paper['sheets'] = isList ? [summaryOf(listed, language)] : []
  // One after the other: the process that scales pictures is for uploads too.
  const budget = isList ? bytesOfEach : bytesOfOne
  for (const proof of proofs) sheets.push(await printProof(service, organisation.id, proof, language, budget))
  return {
    title: isList ? say('proofs') : `${proofs[0]?.title} ${proofs[0]?.awb}`,
    language,
    sender: { name: organisation.name, logo: await printLogo(service, organisation, language) },
    foot: `${say('page', { page: '{page}', pages: '{pages}' })} · ${say('made', { time: dateTime(service.clock.now()), zone: organisation.timezone })}`,
    sheets,
  }
}

function summaryOf(listed: Listed[], language: Language): Paper['sheets'][number] {
  const say = sayIn(language)
  return {
    title: say('proofs'),
    subtitle: String(listed.length),
    columns: [
      [say('awb'), 0.3],
      [say('result'), 0.22],
      [say('time'), 0.22],
      [say('receivedBy'), 0.26],
    ],
    rows: listed.map((one) =>
      'facts' in one ? [one.awb, one.mark.text, one.time, one.receivedBy] : [one.awb, one.mark.text, '', ''],
    ),
  }
}

async function printProof(
  service: Service,
  organisationId: number,
  { title, awb, mark, facts, pictures }: ProofSheet,
  language: Language,
  budget: number,
): Promise<RecordSheet> {
  const say = sayIn(language)
  const printed = pictures.slice(0, mostPictures)
  const size = sizes.find(({ mostBytes }) => mostBytes * printed.length <= budget) ?? smallest
  const shown: RecordSheet['pictures'] = []
  for (const { stored, caption, isSignature } of printed) {
    const picture = await printPicture(service, organisationId, stored, size, say)
    shown.push({ caption, picture, isSignature })
  }
  const left = pictures.length - printed.length
  const remarks = left > 0 ? [say('morePictures', { n: left })] : []
  return { title, subtitle: `${say('awb')} ${awb}`, mark, facts, pictures: shown, remarks }
}

/** A logo that cannot be printed is no reason to have no paper. */
export async function printLogo(
  service: Service,
  { id, logo }: Organisation,
  language: Language,
  size: Size | Dots = logoSize,
) {
  if (!isFilePath(logo)) return null
  const file = await findFile(service.database.of(id), id, fileIdIn(logo))
  const printed = file && (await printPicture(service, id, file, size, sayIn(language)))
  return printed instanceof Uint8Array ? printed : null
}
