import { DataTypes } from 'sequelize'
import * as columns from './tables.js'

/* The tables of both peers: no straw man, so with the indexes that the requests need, and few others. */

const { required, usually } = columns

export function defineModels(sequelize) {
  const define = (name, its, indexes = [], others = {}) =>
    sequelize.define(name, its, {
      indexes: indexes.map((one) => (Array.isArray(one) ? { fields: one } : one)),
      ...others,
    })
  const unique = (...fields) => ({ unique: true, fields })

  const Organisation = define('organisation', columns.organisationColumns)
  const keyColumns = {
    name: required(DataTypes.STRING),
    hash: required(DataTypes.STRING(64)),
    isEnabled: usually(DataTypes.BOOLEAN, true),
  }
  const ApiKey = define('apiKey', keyColumns, [unique('hash')])
  const Team = define('team', { name: required(DataTypes.STRING) }, [unique('organisation_id', 'name')])
  const User = define('user', columns.userColumns, [['organisation_id']])
  const Customer = define('customer', columns.customerColumns, [unique('company_id', 'phone')])
  const Task = define('task', columns.taskColumns, [
    unique('owner_id', 'awb'),
    ['owner_id', 'id'],
    ['owner_id', 'status_id'],
    ['customer_id'],
    ['user_id'],
    ['team_id'],
  ])
  const Address = define('address', columns.addressColumns, [unique('task_id')], { timestamps: false })
  const Note = define('note', columns.noteColumns, [['task_id', 'id']])
  const Dependency = define('dependency', {}, [['depends_on_id']], { timestamps: false })
  const Event = define('event', columns.eventColumns, [['task_id', 'id']], {
    createdAt: 'recordedAt',
    updatedAt: false,
  })

  const mustHave = (name) => ({ foreignKey: { name, allowNull: false } })
  for (const model of [ApiKey, Team, User, Event]) model.belongsTo(Organisation, mustHave('organisationId'))
  Customer.belongsTo(Organisation, mustHave('companyId'))
  Task.belongsTo(Organisation, { as: 'owner', ...mustHave('ownerId') })
  Task.belongsTo(Organisation, { as: 'fulfiller', ...mustHave('fulfillerId') })
  Task.belongsTo(Customer)
  Task.belongsTo(User)
  Task.belongsTo(Team)
  Task.hasOne(Address, mustHave('taskId'))
  Task.hasMany(Note, mustHave('taskId'))
  Note.belongsTo(User, mustHave('userId'))
  Task.hasMany(Event, { as: 'timelines', ...mustHave('taskId') })
  Task.belongsToMany(Task, { as: 'dependencies', through: Dependency, foreignKey: 'taskId', otherKey: 'dependsOnId' })
  Dependency.belongsTo(Task, { as: 'dependsOn', foreignKey: 'dependsOnId' })

  return { Organisation, ApiKey, Team, User, Customer, Task, Address, Note, Dependency, Event }
}
