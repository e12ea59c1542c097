import { makeWorld } from './make.ts'

/* Makes the world into the given file, beside the build of the pages, which takes as long: `node main.ts <file>`. */

await makeWorld(process.argv[2] as string)
