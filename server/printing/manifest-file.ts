import { createHash } from 'node:crypto'
import type { ManifestQuery } from '../../contract/label.ts'
import { recordReading } from '../audit/exports.ts'
import { version } from '../config.ts'
import type { Context } from '../context.ts'
import type { Download } from '../http/answers/download.ts'
import type { Organisation } from '../organisations/queries.ts'
import { printLogo } from '../proof/paper.ts'
import type { Paper } from '../threads/paper.ts'
import { formatsOf } from './formats.ts'
import { describeManifest, readManifest } from './manifest.ts'
import { languageOf, sayIn } from './words.ts'

/** The run sheet of a driver as a file. */
export async function manifestFile(
  context: Context,
  organisation: Organisation,
  driverId: number,
  { day: wanted, language: given }: ManifestQuery,
): Promise<Download> {
  const language = languageOf(organisation, given)
  const manifest = await readManifest(context, organisation, driverId, wanted)
  const sheet = describeManifest(manifest, organisation, language)
  const { id: organisationId, name: sender, logo, timezone, currency } = organisation
  const shown = createHash('sha256')
    .update(JSON.stringify([version, 'manifest', sender, logo, timezone, language, sheet]))
    .digest('base64url')
  await recordReading(context, organisationId, [{ kind: 'manifest.printed', subjectId: driverId }])
  const say = sayIn(language)
  const made = formatsOf(language, timezone, currency).fullTime(context.clock.now())
  const collect = async (): Promise<Paper> => ({
    title: `${sheet.title}, ${manifest.driver.name}, ${manifest.day}`,
    language,
    isLandscape: true,
    sender: { name: sender, logo: await printLogo(context, organisation, language) },
    foot: `${say('page', { page: '{page}', pages: '{pages}' })} · ${manifest.driver.name} · ${say('made', { time: made, zone: timezone })}`,
    sheets: [sheet],
  })
  const asker = { organisationId, name: `${context.actor.type} ${context.actor.id}` }
  return {
    type: 'application/pdf',
    name: `manifest-${driverId}-${manifest.day}.pdf`,
    isSaved: true,
    etag: `"${shown}"`,
    read: (gone) => context.papers.open({ name: shown, asker, collect }, gone),
  }
}
