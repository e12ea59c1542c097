import assert from 'node:assert/strict'
import { glob, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { drawCharts } from '../../bench/charts.ts'
import { isUpdating, tables } from './documents.ts'

const root = join(import.meta.dirname, '../..')
const marked = /<!-- table: (\w+) -->\n[\s\S]*?<!-- end -->/g

async function documents(): Promise<[file: string, text: string][]> {
  const files = await Array.fromAsync(glob(['*.md', 'docs/**/*.md'], { cwd: root }))
  return Promise.all(
    files.map(async (file): Promise<[string, string]> => [file, await readFile(join(root, file), 'utf8')]),
  )
}

test('the tables in the docs match the code', async () => {
  const shown = new Set<string>()
  for (const [file, text] of await documents()) {
    const filled = text.replace(marked, (_, name: string) => {
      assert.ok(tables[name], `${file} shows a table "${name}" that nobody makes`)
      shown.add(name)
      return `<!-- table: ${name} -->\n${tables[name]}\n<!-- end -->`
    })
    if (isUpdating && filled !== text) await writeFile(join(root, file), filled)
    else assert.equal(text, filled, `${file} is out of date: run npm run update, and read the diff`)
  }
  assert.deepEqual(
    Object.keys(tables).filter((name) => !shown.has(name)),
    [],
    'every table is shown somewhere',
  )
})

test('the charts match the saved measurements', async () => {
  for (const [file, drawn] of Object.entries(drawCharts())) {
    const path = join(root, 'docs/performance', file)
    if (isUpdating) await writeFile(path, drawn)
    else assert.equal(await readFile(path, 'utf8'), drawn, `${file} is out of date: run npm run update`)
  }
})

test('links between documents lead somewhere', async () => {
  const { access } = await import('node:fs/promises')
  for (const [file, text] of await documents())
    for (const [, target] of text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g))
      await assert.doesNotReject(access(join(root, dirname(file), target as string)), `${file} links to ${target}`)
})
