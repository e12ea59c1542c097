import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/*
 * The folder for everything the tests write. A database is a thousand files, and some disks take a millisecond to create
 * one: there a copy of the template takes 450 ms, and in memory 50.
 */

const memory = '/dev/shm'
/** A run of all tests takes less than two. */
const neededBytes = 6 * 2 ** 30
const prefix = 'waybill-tests-'

/** In memory, if there is plenty of it and programs may run there. */
export async function makeFolder(): Promise<string> {
  if (await hasRoom()) {
    await removeLeftovers()
    const folder = await makeIn(memory)
    if (await canRunPrograms(folder)) return folder
    await rm(folder, { recursive: true })
  }
  return makeIn(tmpdir())
}

async function makeIn(place: string): Promise<string> {
  const folder = await mkdtemp(join(place, `${prefix}${process.pid}-`))
  // For every account, like any folder of temporary files: PostgreSQL does not run as root.
  await chmod(folder, 0o1777)
  return folder
}

async function hasRoom(): Promise<boolean> {
  const found = await statfs(memory).catch(() => undefined)
  return found !== undefined && Math.min(found.bavail * found.bsize, process.availableMemory()) > neededBytes
}

async function canRunPrograms(folder: string): Promise<boolean> {
  const program = join(folder, 'program')
  await writeFile(program, '#!/bin/sh\n', { mode: 0o755 })
  return spawnSync(program).status === 0
}

/** A run that was killed could not remove its folder. A small disk that it mounted may still be in there, which stays. */
async function removeLeftovers() {
  for (const name of await readdir(memory)) {
    if (!name.startsWith(prefix) || isRunning(Number.parseInt(name.slice(prefix.length), 10))) continue
    await rm(join(memory, name), { recursive: true, force: true }).catch((error) => {
      if (error.code !== 'EBUSY') throw error
    })
  }
}

function isRunning(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
