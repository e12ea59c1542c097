import { endFailures } from './audit/failures.ts'
import type { Service } from './context.ts'
import { keepPartitions, type PartitionedTable } from './db/partitions.ts'
import { countDays } from './drivers/days.ts'
import { eraseDue } from './erasure/by-time.ts'
import { fileReceipts } from './erasure/receipts.ts'
import { startTasks } from './field/automatic-start.ts'
import { callSleepingPhones } from './field/calls/push.ts'
import { forgetOldOps } from './field/sync/forget.ts'
import { collectFiles } from './files/collect.ts'
import { createGeocoding } from './geocoding/work.ts'
import { forgetExpired } from './http/answers/idempotency.ts'
import { forgetOldScans } from './loading/forget.ts'
import { startLoop, startTimer, type Worker } from './loops.ts'
import { tellNextStops } from './messages/next-stop.ts'
import { endChangedNights } from './messages/sending/quiet.ts'
import { startMessages } from './messages/sending/sender.ts'
import { forgetOldTries } from './people/tries.ts'
import { followDrivers } from './planning/arrivals/follow.ts'
import { createAutoAssign } from './planning/fleet/auto-assign.ts'
import { learnSpeeds } from './planning/speeds/learn.ts'
import { makeScheduledTasks } from './schedules/make.ts'
import { fillBags } from './tasks/cash/fill.ts'
import { markLateTasks } from './tasks/change/late.ts'
import { forgetIdleCustomers } from './tasks/customers/idle.ts'
import { separateAllCustomers } from './tasks/customers/separate.ts'
import { delegateNewTasks } from './tasks/delegate/by-rule.ts'
import { forgetOldSteps } from './tasks/kept-plans/steps.ts'
import { forgetOldPlaces } from './tasks/learned/places.ts'
import { dropOldTasks } from './tasks/retention.ts'
import { fillWords } from './tasks/search/fill.ts'
import { makeDueReturns } from './tasks/tries/by-itself.ts'
import { newEvents } from './topics.ts'
import { bringForward } from './webhooks/queries.ts'
import { startSender } from './webhooks/sending/sender.ts'

export interface Workers {
  /** Runs a round of the named worker and waits for it. */
  makeRound(name: string): Promise<void>
  stop(graceMs: number): Promise<void>
}

const seconds = 1_000
const minutes = 60 * seconds

/** The list of all background work: its name, its interval, and what wakes it earlier. */
export async function startWorkers(service: Service, databaseUrl: string): Promise<Workers> {
  const { config, database, geocoders, log, notices } = service
  const wokenBy = (wake: () => void) => notices.onRing(newEvents, wake)
  const partitioned: PartitionedTable[] = [
    { name: 'attempts', column: 'attempted_at', days: config.webhooks.logDays },
    { name: 'locations', column: 'occurred_at', days: config.locationDays },
    { name: 'audit_log', column: 'at', days: config.auditDays, per: 'month', isAppendOnly: true },
  ]
  await keepPartitions(databaseUrl, partitioned)

  // Every half second, and woken by new events; their pace is the engine's own, which also runs in a simulation.
  const senders = [startSender(service), startMessages(service)]
  const others: Worker[] = [
    startLoop(
      {
        name: 'auto-assign',
        everyMs: 3 * seconds,
        wokenBy,
        collectMs: 200,
        trouble: 'Assigning new tasks failed; retrying',
        round: createAutoAssign(service),
      },
      log,
    ),
    startLoop(
      {
        name: 'delegating',
        everyMs: 3 * seconds,
        wokenBy,
        collectMs: 100,
        trouble: 'Delegating new tasks failed; retrying',
        round: (stopping) => delegateNewTasks(service, stopping),
      },
      log,
    ),
    startLoop(
      {
        name: 'returning',
        everyMs: 3 * seconds,
        wokenBy,
        collectMs: 100,
        trouble: 'Bringing parcels back by themselves failed; retrying',
        round: (stopping) => makeDueReturns(service, stopping),
      },
      log,
    ),
    ...(geocoders.usual ? (['without key', 'with key'] as const) : []).map((whose) =>
      startLoop(
        {
          name: `geocoding ${whose}`,
          everyMs: 5 * seconds,
          wokenBy,
          collectMs: 100,
          trouble: 'Looking up addresses failed; retrying',
          round: createGeocoding(service, whose),
        },
        log,
      ),
    ),
    startLoop(
      {
        name: 'late tasks',
        everyMs: 5 * seconds,
        trouble: 'Marking late tasks failed; retrying',
        round: (stopping) => markLateTasks(service, stopping),
      },
      log,
    ),
    startLoop(
      {
        name: 'push',
        everyMs: 2 * seconds,
        wokenBy,
        collectMs: 200,
        trouble: 'Calling phones failed; retrying',
        round: (stopping) => callSleepingPhones(service, stopping),
      },
      log,
    ),
    startLoop(
      {
        name: 'automatic start',
        everyMs: 5 * seconds,
        trouble: 'Starting tasks by themselves failed; retrying',
        round: (stopping) => startTasks(service, stopping),
      },
      log,
    ),
    startLoop(
      {
        name: 'scheduling',
        everyMs: 5 * seconds,
        trouble: 'Making the tasks of schedules failed; retrying',
        round: (stopping) => makeScheduledTasks(service, stopping),
      },
      log,
    ),
    startLoop(
      {
        name: 'arrivals',
        everyMs: 5 * seconds,
        trouble: 'Computing arrivals failed; retrying',
        round: (stopping) => followDrivers(service, stopping),
      },
      log,
    ),
    startLoop(
      {
        name: 'learning speeds',
        everyMs: 10 * minutes,
        trouble: 'Learning how fast drivers are failed; retrying',
        round: (stopping) => learnSpeeds(service, stopping),
      },
      log,
    ),
    startLoop(
      {
        name: 'counting days',
        everyMs: 10 * minutes,
        trouble: 'Counting what drivers did on a day failed; retrying',
        round: (stopping) => countDays(service, stopping),
      },
      log,
    ),
    startLoop(
      {
        name: 'next stops',
        everyMs: 5 * seconds,
        wokenBy,
        collectMs: 500,
        trouble: 'Telling the next customers failed; retrying',
        round: (stopping) => tellNextStops(service, stopping),
      },
      log,
    ),
    startLoop(
      {
        name: 'quiet hours',
        everyMs: 5 * seconds,
        trouble: 'Looking for quiet hours that have changed failed; retrying',
        round: (stopping) => endChangedNights(service, stopping),
      },
      log,
    ),
    // Ends once it finds nothing.
    startLoop(
      {
        name: 'separating customers',
        everyMs: minutes,
        trouble: 'Separating customers shared by mistake failed; retrying',
        round: (stopping) => separateAllCustomers(service, stopping),
      },
      log,
    ),
    startLoop(
      {
        name: 'cash',
        everyMs: 10 * minutes,
        trouble: 'Putting earlier payments on their days failed; retrying',
        round: (stopping) => fillBags(service, stopping),
      },
      log,
    ),
    startLoop(
      {
        name: 'search words',
        everyMs: 10 * minutes,
        trouble: 'Preparing older tasks for the search failed; retrying',
        round: (stopping) => fillWords(service, stopping),
      },
      log,
    ),
    startLoop(
      {
        name: 'erasure',
        everyMs: minutes,
        trouble: 'Erasing personal data failed; retrying',
        round: (stopping) => eraseDue(service, stopping),
      },
      log,
    ),
    startLoop(
      {
        name: 'receipts',
        everyMs: 5 * seconds,
        trouble: 'Writing the file of receipts failed; retrying',
        round: () => fileReceipts(service),
      },
      log,
    ),
    startTimer(
      {
        name: 'webhook upkeep',
        everyMs: minutes,
        trouble: 'Maintenance of the webhook queue failed; retrying',
        round: () => bringForward(database.everyone),
      },
      log,
    ),
    startTimer(
      {
        name: 'partitions',
        everyMs: 60 * minutes,
        trouble: 'Maintenance of daily tables failed; the next round retries',
        round: () => keepPartitions(databaseUrl, partitioned),
      },
      log,
    ),
    startTimer(
      {
        name: 'counting failures',
        everyMs: minutes,
        trouble: 'Recording failed sign-ins failed; the next round retries',
        round: () => endFailures(service),
      },
      log,
    ),
    startTimer(
      {
        name: 'forgetting',
        everyMs: 10 * minutes,
        trouble: 'Cleanup of expired records failed; the next round retries',
        round: (stopping) => forgetExpired(service, stopping),
      },
      log,
    ),
    startTimer(
      {
        name: 'forgetting tries',
        everyMs: 10 * minutes,
        trouble: 'Cleanup of wrong passwords failed; the next round retries',
        round: () => forgetOldTries(database.everyone),
      },
      log,
    ),
    startTimer(
      {
        name: 'forgetting undos',
        everyMs: 10 * minutes,
        trouble: 'Cleanup of what can no longer be undone failed; the next round retries',
        round: async () => {
          await forgetOldSteps(database.everyone)
        },
      },
      log,
    ),
    startTimer(
      {
        name: 'forgetting places',
        everyMs: 60 * minutes,
        trouble: 'Cleanup of places that were learned failed; the next round retries',
        round: (stopping) => forgetOldPlaces(service, stopping),
      },
      log,
    ),
    startTimer(
      {
        name: 'forgetting customers',
        everyMs: 60 * minutes,
        trouble: 'Cleanup of customers without tasks failed; the next round retries',
        round: (stopping) => forgetIdleCustomers(service, stopping),
      },
      log,
    ),
    startTimer(
      {
        name: 'forgetting ops',
        everyMs: 60 * minutes,
        trouble: 'Cleanup of old ops failed; the next round retries',
        round: (stopping) => forgetOldOps(service, stopping),
      },
      log,
    ),
    startTimer(
      {
        name: 'forgetting scans',
        everyMs: 60 * minutes,
        trouble: 'Cleanup of old scans failed; the next round retries',
        round: (stopping) => forgetOldScans(service, stopping),
      },
      log,
    ),
    startTimer(
      {
        name: 'collecting files',
        everyMs: 10 * minutes,
        trouble: 'Deleting unused files failed; the next round retries',
        round: (stopping) => collectFiles(service, stopping),
      },
      log,
    ),
    // Tasks may be kept forever.
    ...(config.taskDays > 0
      ? [
          startTimer(
            {
              name: 'retention',
              everyMs: 10 * minutes,
              trouble: 'Deleting old tasks failed; the next round retries',
              round: (stopping) => dropOldTasks(service, stopping),
            },
            log,
          ),
        ]
      : []),
  ]
  return {
    async makeRound(name) {
      const worker = others.find((one) => one.name === name)
      if (!worker) throw new Error(`No worker is called ${name}`)
      await worker.makeRound()
    },
    async stop(graceMs) {
      await Promise.all([...senders.map((one) => one.stop(graceMs)), ...others.map((one) => one.stop())])
    },
  }
}

/** An API process leaves this work to the others. */
export const noWorkers: Workers = {
  makeRound: () => Promise.reject(new Error('This process has no workers')),
  stop: async () => {},
}
