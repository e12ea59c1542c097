import { createHash } from 'node:crypto'
import express from 'express'
import { Sequelize, UniqueConstraintError } from 'sequelize'
import { Refusal } from './given.js'
import { defineModels } from './models.js'

/* What both peers begin and end with. */

/** As many connections as Waybill has for requests. */
const pool = { max: 16, min: 16 }

export const sequelize = new Sequelize(process.env.DATABASE_URL, {
  pool,
  logging: false,
  define: { underscored: true },
})
export const models = defineModels(sequelize)

export const hashOf = (key) => createHash('sha256').update(key).digest('hex')

/** A set of a thousand tasks is larger than Express allows. */
export const readBody = () => express.json({ limit: '10mb' })

/** The last in the list: what went wrong, as an answer. */
// biome-ignore lint/correctness/noUnusedFunctionParameters: Express knows it by its four parameters
export function answerError(error, request, response, next) {
  const refusal = error instanceof UniqueConstraintError ? new Refusal(409, 'AWB_TAKEN') : error
  const status = refusal.status ?? 500
  if (status >= 500) console.error(error)
  response
    .status(status)
    .json({ success: false, error: { code: refusal.code ?? 'INTERNAL', message: refusal.message } })
}

/** Makes tables, an organisation and its key, and listens. */
export async function serve(app) {
  await sequelize.sync()
  const settings = JSON.parse(process.env.SETTINGS)
  const organisation = await models.Organisation.create({ name: 'Waybill Demo', settings })
  await models.ApiKey.create({ name: 'First key', hash: hashOf(process.env.API_KEY), organisationId: organisation.id })
  const server = app.listen(0, '127.0.0.1', () => console.log(`ready at http://127.0.0.1:${server.address().port}`))
  process.once('SIGTERM', () => process.exit())
}
