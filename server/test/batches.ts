import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/*
 * Loading the program takes longer than most test files. So most files share a process, and with it the server and the
 * browser: `startServer` and `sharedBrowser` keep one for as long as the process lives. Files that start other
 * programs, measure their process or take minutes run alone.
 */
const together: RegExp[] = [
  /^web\/test\/driver/,
  /^web\/test\/(admin|another-day|documents|focus|lists|panels|planning|positions|sign-in|statistics)/,
  // The rest of the console in three, or one process is still busy when all others have ended.
  /^web\/test\/[a-l]/,
  /^web\/test\/(m|o|pa|pi|pl|pr|r|sch)/,
  /^web\/test\/(?!screens\.)/,
  // Not files that use up the failed attempts of an address.
  /^server\/(drivers\/|events\/|files\/(?!hostile)|http\/(?!limits\/limits)|organisations\/|tasks\/|teams\/)/,
  /^server\/(map\/(?!run)|outside\/(?!forbidden)|planning\/|webhooks\/)/,
  /^server\/(field\/(?!invitations)|(forms|messages|proof|reasons|sending|tracking)\/|people\/(people|links))/,
  /^server\/test\/hostile\/(bodies|pipelines|wire)/,
  /^server\/test\/(hostile\/json-bombs|bad-input|catalogue|conformance|day|docs|mounted|receiver|rights|settings|strangers)/,
  /^(cli\/(backup|commands|console|demo\/)|server\/db\/(connect|copy|db|migrate|partitions|pooler))/,
  /^core\/optimise/,
  /^(core\/|contract|sdk|phone|web\/(?!test)|server\/[^/]+\.test|server\/backup\/archive|server\/test\/(architecture|browser|compose|deploy|packages|proofs|untracked))/,
]

/** The longest ones start first, so that nothing waits for them at the end. */
const longest: RegExp[] = [
  /^server\/test\/(sync|wall|week|processes|crash)/,
  /^web\/test\//,
  /^server\/test\/bad-input/,
  /^server\/(db\/embedded|test\/(fuzz|model|deliveries))/,
  /^cli\//,
]

/** The files for the test runner, one process each. It takes them by name, so their names begin with their place. */
export async function makeBatches(files: string[], folder: string): Promise<string[]> {
  const groups = Map.groupBy(files, (file) => together.find((pattern) => pattern.test(file)) ?? file)
  const batches = [...groups.values()].sort((one, other) => weightOf(other) - weightOf(one))
  return Promise.all(batches.map((batch, index) => write(batch, index, folder)))
}

function weightOf([first, ...others]: string[]) {
  const place = longest.findIndex((pattern) => pattern.test(first as string))
  return place < 0 ? others.length : 1_000 - place
}

/** Not in TypeScript: everything else is compiled already, and loading what strips types takes a quarter of a second. */
async function write(batch: string[], index: number, folder: string): Promise<string> {
  const [first, ...others] = batch as [string, ...string[]]
  const name = first.replace(/\.test\.ts$/, '').replaceAll('/', '-')
  const more = others.length > 0 ? `-and-${others.length}-more` : ''
  const path = join(folder, `${String(index + 1).padStart(3, '0')}-${name}${more}.mjs`)
  const imports = batch.map((file) => `import ${JSON.stringify(pathToFileURL(resolve(file)).href)}\n`)
  await writeFile(path, imports.join(''))
  return path
}
