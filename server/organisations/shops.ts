import { settingsOf } from '../../core/settings.ts'
import type { Doer } from '../audit/record.ts'
import type { Db } from '../db/db.ts'
import { changeOrganisation, createOrganisation, type MadeOrganisation } from './actions.ts'
import { addPartner } from './partners.ts'
import { getOrganisation } from './queries.ts'

/**
 * Creates an organisation that leaves the driving to a courier: partners from the beginning, with the same place and money, and
 * every new task is the courier's. All or nothing. With the handle of the service, which sees both.
 */
export const createShop = (db: Db, by: Doer, name: string, courierId: number): Promise<MadeOrganisation> =>
  db.transaction(async (db) => {
    const courier = await getOrganisation(db.as(courierId), courierId)
    const { country, timezone, currency } = courier
    const made = await createOrganisation(db, { name, country, timezone, currency }, undefined, by)
    const { id } = made.organisation
    const shop = await getOrganisation(db.as(id), id)
    await addPartner({ ...by, db: db.as(id) }, shop, courierId)
    await addPartner({ ...by, db: db.as(courierId) }, courier, id)
    const { moneyDecimals, messageLanguage } = settingsOf(courier)
    const settings = { moneyDecimals, messageLanguage, delegateNewTasksTo: courierId, shopConsole: true }
    await changeOrganisation({ ...by, db: db.as(id) }, shop, { settings })
    return made
  })
