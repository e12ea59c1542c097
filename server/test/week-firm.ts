import type { TestContext } from 'node:test'
import { openDrivers } from './week-drivers.ts'
import { openEvening } from './week-evening.ts'
import { openGround, type Size } from './week-ground.ts'
import { openMorning } from './week-morning.ts'
import { openOffice } from './week-office.ts'

/*
 * The firm: an office that uses the API, drivers with phones that send what they did now or days later, and a receiver of
 * webhooks. Whatever it does, it says to the model, too.
 */

export type Firm = Awaited<ReturnType<typeof openFirm>>

export async function openFirm(t: TestContext, random: () => number, size: Size) {
  const ground = await openGround(t, random, size)
  const { server, model, calendar, receiver, drivers, counts, shuffled, idOf, dayName, isForTomorrow, listTasks } =
    ground
  const { importParcels, makeRegularWork, printLabels, assign, load } = openMorning(ground)
  const { drive, sendLate } = openDrivers(ground)
  const { tryAgain, correctSome, putRight } = openOffice(ground)
  const { countCash } = openEvening(ground)
  const everyDriver = () => [...drivers.keys()]
  return {
    server,
    model,
    calendar,
    receiver,
    counts,
    idOf,
    dayName,
    isForTomorrow,
    listTasks,
    get today() {
      return ground.today
    },
    async liveADay() {
      await importParcels()
      await makeRegularWork()
      await printLabels()
      await assign()
      await load()
      for (const driver of shuffled(everyDriver())) await drive(driver)
      await tryAgain()
      await correctSome()
      await putRight()
      await countCash()
      counts.days += 1
    },
    async passTheNight() {
      await calendar.passADay()
      ground.today += 1
    },
    /** The last morning: all phones have a network. */
    async hearAll() {
      await makeRegularWork()
      for (const driver of everyDriver()) await sendLate(driver)
      await countCash()
    },
  }
}
