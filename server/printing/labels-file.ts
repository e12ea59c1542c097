import { createHash } from 'node:crypto'
import type { LabelFormat } from '../../contract/label.ts'
import type { Language } from '../../core/words/languages.ts'
import { version } from '../config.ts'
import type { Context } from '../context.ts'
import type { Download } from '../http/answers/download.ts'
import type { Organisation } from '../organisations/queries.ts'
import { printLogo } from '../proof/paper.ts'
import type { Label } from '../threads/paper.ts'
import { sayIn } from './words.ts'
import { logoBox, writeZpl } from './zpl.ts'

/** Labels as a file to send to a printer. */
export function labelsFile(
  context: Context,
  organisation: Organisation,
  language: Language,
  labels: Label[],
  format: LabelFormat,
): Download {
  const { id: organisationId, name: sender, logo } = organisation
  const etagOf = (name: string) => `"${name}"`
  const shown = createHash('sha256')
    .update(JSON.stringify([version, 'labels', sender, logo, language, format, labels]))
    .digest('base64url')
  const [first] = labels
  const name = labels.length === 1 && first ? `label-${first.code.replace(/[^\w.-]+/g, '_')}` : 'labels'
  if (format === 'zpl') {
    const read = async () =>
      Buffer.from(writeZpl(labels, sender, await printLogo(context, organisation, language, { box: logoBox })))
    return { type: 'application/zpl', name: `${name}.zpl`, isSaved: true, etag: etagOf(shown), read }
  }
  const collect = async () => ({
    title: sayIn(language)('labels'),
    language,
    sender: { name: sender, logo: await printLogo(context, organisation, language) },
    perPage: format === 'pdf-a4' ? (4 as const) : (1 as const),
    labels,
  })
  const asker = { organisationId, name: `${context.actor.type} ${context.actor.id}` }
  return {
    type: 'application/pdf',
    name: `${name}.pdf`,
    isSaved: true,
    etag: etagOf(shown),
    read: (gone) => context.papers.open({ name: shown, asker, collect }, gone),
  }
}
