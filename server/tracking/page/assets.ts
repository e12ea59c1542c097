import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Html } from '../../http/pages/html.ts'

/**
 * The tags that load what the build made: style and script, under names that change with their content. Read once: a
 * server keeps serving what it started with. Without a build the page is plain, and works.
 */
export async function readAssets(pages: string | undefined): Promise<Html> {
  const built = pages ? await readFile(join(pages, 'tracking/index.html'), 'utf8').catch(() => '') : ''
  return new Html((built.match(/<link [^>]*stylesheet[^>]*>|<script [^>]*><\/script>/g) ?? []).join(''))
}
