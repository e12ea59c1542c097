import { DataTypes } from 'sequelize'

/* The tables of both peers: no straw man, so with the indexes that the requests need. */

const { BOOLEAN, DATE, DOUBLE, INTEGER, STRING, TEXT, UUID, UUIDV4 } = DataTypes

const required = (type) => ({ type, allowNull: false })
const usually = (type, defaultValue) => ({ type, allowNull: false, defaultValue })

export function defineModels(sequelize) {
  const Organisation = sequelize.define('organisation', { name: required(STRING), currency: usually(STRING(3), 'RON') })

  const ApiKey = sequelize.define(
    'apiKey',
    { name: required(STRING), hash: required(STRING(64)), isEnabled: usually(BOOLEAN, true) },
    { indexes: [{ unique: true, fields: ['hash'] }] },
  )

  const Customer = sequelize.define(
    'customer',
    { name: STRING, phone: required(STRING(32)), email: STRING, address: STRING, lat: DOUBLE, lng: DOUBLE },
    { indexes: [{ unique: true, fields: ['organisation_id', 'phone'] }] },
  )

  const Task = sequelize.define(
    'task',
    {
      awb: required(STRING(100)),
      uuid: { ...required(UUID), defaultValue: UUIDV4 },
      details: TEXT,
      customerNotes: TEXT,
      statusId: usually(INTEGER, 1),
      priority: usually(INTEGER, 0),
      quantity: INTEGER,
      serviceTime: INTEGER,
      collectPayment: usually(BOOLEAN, false),
      pickupTask: usually(BOOLEAN, false),
      sendNotifications: usually(BOOLEAN, true),
      completeAfter: DATE,
      completeBefore: DATE,
      acceptedAt: DATE,
      startedAt: DATE,
      completedAt: DATE,
      cancelReason: STRING,
      userId: INTEGER,
      teamId: INTEGER,
    },
    {
      indexes: [
        { unique: true, fields: ['organisation_id', 'awb'] },
        { fields: ['organisation_id', 'id'] },
        { fields: ['customer_id'] },
      ],
    },
  )

  const Address = sequelize.define(
    'address',
    {
      address: required(STRING(500)),
      addressSecondLine: STRING,
      city: STRING,
      country: usually(STRING(2), 'RO'),
      postalCode: STRING,
      lat: DOUBLE,
      lng: DOUBLE,
    },
    { indexes: [{ unique: true, fields: ['task_id'] }] },
  )

  const Event = sequelize.define(
    'event',
    {
      event: required(STRING(50)),
      fromStatusId: INTEGER,
      toStatusId: INTEGER,
      actorType: required(STRING(20)),
      actorName: STRING,
      occurredAt: required(DATE),
      /** The task as it was. */
      snapshot: required(DataTypes.JSON),
    },
    { updatedAt: false, indexes: [{ fields: ['task_id', 'id'] }] },
  )

  const owned = { foreignKey: { name: 'organisationId', allowNull: false } }
  for (const model of [ApiKey, Customer, Task, Event]) model.belongsTo(Organisation, owned)
  Task.belongsTo(Customer, { foreignKey: 'customerId' })
  const ofTask = { foreignKey: { name: 'taskId', allowNull: false } }
  Task.hasOne(Address, ofTask)
  Task.hasMany(Event, { ...ofTask, as: 'timelines' })

  return { Organisation, ApiKey, Customer, Task, Address, Event }
}

export const statuses = { 1: 'Unassigned', 2: 'Assigned', 3: 'In Transit', 4: 'Succeeded', 5: 'Failed' }
