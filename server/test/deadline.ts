import { nights } from './proofs.ts'

/*
 * Loaded into every process of the test runner, whose own time limit ends a test but not a file: something left open
 * would keep the process, and the whole run with it, alive for ever.
 */

const minutes = 30 * Math.max(1, nights)

function giveUp() {
  const open = process.getActiveResourcesInfo().join(', ')
  process.stderr.write(`These tests were ended after ${minutes} minutes. Still open: ${open}\n`)
  process.exit(1)
}

setTimeout(giveUp, minutes * 60_000).unref()

// Whoever started the tests may be killed. Without a database they would go on trying, at the cost of everything else on the machine.
const run = Number(process.env['WAYBILL_TEST_RUN'])

function isGone(pid: number) {
  try {
    return !process.kill(pid, 0)
  } catch {
    return true
  }
}

if (run) setInterval(() => isGone(run) && process.exit(1), 5_000).unref()
