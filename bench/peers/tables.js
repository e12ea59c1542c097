import { DataTypes } from 'sequelize'

/* The columns of the larger tables: what a task shows, stored as it is shown. */

const { BOOLEAN, DATE, DECIMAL, DOUBLE, INTEGER, JSONB, STRING, TEXT, UUID, UUIDV4 } = DataTypes

export const required = (type) => ({ type, allowNull: false })
export const usually = (type, defaultValue) => ({ type, allowNull: false, defaultValue })

const amount = DECIMAL(12, 2)

export const taskColumns = {
  awb: required(STRING(100)),
  uuid: { ...required(UUID), defaultValue: UUIDV4 },
  details: usually(TEXT, ''),
  customerNotes: TEXT,
  statusId: usually(INTEGER, 1),
  paymentTypeId: usually(INTEGER, 1),
  totalPrice: amount,
  leftToBePaid: amount,
  deliveryPrice: amount,
  collectPayment: usually(BOOLEAN, false),
  inventory: JSONB,
  customFields: usually(JSONB, []),
  priority: usually(INTEGER, 0),
  quantity: INTEGER,
  serviceTime: INTEGER,
  pickupTask: usually(BOOLEAN, false),
  sendNotifications: usually(BOOLEAN, true),
  completeAfter: DATE,
  completeBefore: DATE,
  sentETA: usually(BOOLEAN, false),
  etaAt: DATE,
  acceptedAt: DATE,
  atHubAt: DATE,
  loadedAt: DATE,
  startedAt: DATE,
  arrivalTime: DATE,
  completedAt: DATE,
  closedAt: DATE,
  cancelReason: TEXT,
  cancelReasonCode: STRING(100),
  lastLocationLat: DOUBLE,
  lastLocationLng: DOUBLE,
  driverArrived: usually(BOOLEAN, false),
  taskWillBeDelayed: usually(BOOLEAN, false),
  taskDelayed: usually(BOOLEAN, false),
  formId: INTEGER,
  scheduleId: INTEGER,
  mobileTaskForm: TEXT,
  route: JSONB,
  feedback: JSONB,
  attempt: usually(INTEGER, 1),
  // The number and awb of another try, kept with the task: cheaper to read than four joins.
  attemptOf: JSONB,
  reattemptedAs: JSONB,
  returnOf: JSONB,
  returnedAs: JSONB,
}

export const addressColumns = {
  address: required(STRING(500)),
  addressSecondLine: STRING,
  city: STRING,
  area: STRING,
  country: usually(STRING(2), 'RO'),
  streetNumber: STRING,
  streetName: STRING,
  postalCode: STRING,
  lat: DOUBLE,
  lng: DOUBLE,
  precision: usually(STRING(20), 'exact'),
  precisionDetail: STRING(20),
  geocodingProblem: usually(STRING, ''),
}

export const customerColumns = {
  name: usually(STRING, ''),
  phone: required(STRING(32)),
  email: STRING,
  address: STRING(500),
  addressSecondLine: STRING,
  lat: DOUBLE,
  lng: DOUBLE,
}

export const organisationColumns = {
  name: required(STRING),
  logo: usually(STRING, ''),
  email: usually(STRING, ''),
  phone: STRING(32),
  paying: usually(BOOLEAN, true),
  currency: usually(STRING(3), 'RON'),
  settings: usually(JSONB, {}),
}

export const userColumns = {
  name: required(STRING),
  avatar: STRING,
  email: STRING,
  phone: usually(STRING(32), ''),
  isDriver: usually(BOOLEAN, true),
  inShift: usually(BOOLEAN, false),
  status: usually(INTEGER, 0),
}

export const noteColumns = {
  type: usually(INTEGER, 1),
  note: TEXT,
  image: STRING(500),
  seenAt: DATE,
}

export const eventColumns = {
  event: required(STRING(50)),
  fromStatusId: INTEGER,
  toStatusId: INTEGER,
  actorType: required(STRING(20)),
  actorId: INTEGER,
  actorName: STRING,
  lat: DOUBLE,
  lng: DOUBLE,
  occurredAt: required(DATE),
  data: JSONB,
  /** The task as it was. */
  snapshot: required(DataTypes.JSON),
}
